import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServeError, StartError } from '../errors.ts';
import type { App } from './app.ts';
import { answerClientError, answerSocket } from './client-error.ts';
import { lookAtFirstBytes } from './first-bytes.ts';
import { Http2Bridge } from './h2-bridge.ts';
import {
  BACKLOG,
  CONNECTION_TIMES,
  MAX_HEADER_BYTES,
  SOCKET_TIMEOUT_MS,
  type ConnectionTimes,
} from './timeouts.ts';

/** Where to listen. */
export interface Address {
  /** A name or an address of this machine. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** A port at work. */
export interface Listener {
  /** The port that was bound. */
  readonly port: number;
  /** For people and clients of this machine, without a slash at its end. */
  readonly url: string;
  readonly server: Server;
  /** Takes no new connections. Resolves when all connections are closed. */
  readonly stopAccepting: () => Promise<void>;
  /** Closes the connections that are in no request. */
  readonly closeIdle: () => void;
  /** Closes all connections. */
  readonly closeAll: () => void;
}

const UNKNOWN_HOST = 'the host is unknown; set another by --rest_bind_address';

/** What an operator can do, by the code of Node's error. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program uses the port; stop it, or choose another by --rest_port'],
  ['EACCES', 'the system does not allow it; choose a port above 1023 by --rest_port'],
  ['EADDRNOTAVAIL', 'no such address on this machine; set another by --rest_bind_address'],
  ['ENOTFOUND', UNKNOWN_HOST],
  ['EAI_AGAIN', UNKNOWN_HOST],
]);

/**
 * Gives an app a port, which speaks HTTP/1.1, and HTTP/2 to clients that begin with its preface.
 *
 * @param app - From `createApp()`.
 * @param address - Where to listen.
 * @param times - Of connections.
 * @returns The port at work.
 * @throws {@link StartError} `unavailable`: the port is taken, not allowed, or not of this machine.
 */
export async function listen(
  app: App,
  address: Address,
  times: ConnectionTimes = CONNECTION_TIMES,
): Promise<Listener> {
  const server = serverOf(app, times);
  const accept = acceptorOf(server);
  const bridge = new Http2Bridge({
    accept,
    keepAliveMs: times.keepAliveMs,
    stallMs: app.stallMs,
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    lookAtFirstBytes(socket, times, (protocol) => {
      if (protocol === 'http/2') bridge.take(socket);
      else accept(socket);
    });
  });
  await bind(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${hostInUrl(address.host)}:${port}`,
    server,
    stopAccepting: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
    closeIdle() {
      bridge.closeSessions();
      server.closeIdleConnections();
      // No server has these yet.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serverOf(app: App, times: ConnectionTimes): Server {
  const server = createServer({
    keepAliveTimeout: times.keepAliveMs,
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    // The app answers that itself, in JSON.
    requireHostHeader: false,
  });
  server.timeout = SOCKET_TIMEOUT_MS;
  server.on('request', app.handle);
  server.on('checkContinue', app.handle);
  server.on('checkExpectation', (request, response) => {
    const error = new ServeError(
      'expectation_failed',
      'Cannot meet the header Expect: only 100-continue is known',
    );
    app.refuse(request, response, error);
  });
  server.on('clientError', (error, socket) => {
    answerClientError(app, error, socket);
  });
  server.on('connect', (_request: IncomingMessage, socket) => {
    const error = new ServeError('method_not_allowed', 'Cannot CONNECT: this server is no proxy');
    answerSocket(socket, error, 'GET, HEAD, POST');
  });
  return server;
}

// Takes from a server its way to serve a connection, so that it waits for the first bytes. A server of
// its own without a port would do as well, but its header and request timeouts begin with the port.
function acceptorOf(server: Server): (connection: Duplex) => void {
  const [serveConnection] = server.listeners('connection');
  server.removeAllListeners('connection');
  return (connection) => {
    serveConnection?.call(server, connection);
  };
}

function bind(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new StartError(
          'unavailable',
          `Cannot listen on ${host}:${port}: ${reasonOf(error)}`,
          error,
        ),
      );
    });
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return REASONS.get(code ?? '') ?? message;
}

const LOCAL: ReadonlySet<string> = new Set(['0.0.0.0', '::', '127.0.0.1', '::1']);

function hostInUrl(host: string): string {
  if (LOCAL.has(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
