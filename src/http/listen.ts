import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ServeError, StartError } from '../errors.ts';
import type { App } from './app.ts';
import { answerClientError, answerSocket } from './client-error.ts';
import {
  BACKLOG,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  SOCKET_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
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
 * Gives an app a port.
 *
 * @param app - From `createApp()`.
 * @param address - Where to listen.
 * @returns The port at work.
 * @throws {@link StartError} `unavailable`: the port is taken, not allowed, or not of this machine.
 */
export async function listen(app: App, address: Address): Promise<Listener> {
  const server = serverOf(app);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
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
      server.closeIdleConnections();
      // Node counts a connection that has sent nothing yet among the busy ones.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serverOf(app: App): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
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
