import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ProxyAddress } from './proxy.ts';
import type { Route } from './route.ts';

/** What a dialler asks for. */
export interface DialOptions {
  /** ALPN protocol of a TLS origin. */
  readonly protocol: 'http/1.1' | 'h2';
  /** Takes what plain sockets read, without a stream in between; other sockets emit `data`. */
  readonly onRead?: (bytes: Buffer) => void;
}

/** Socket that is usable, or will be when `ready` calls back. */
export interface Dialled {
  readonly socket: Socket;
  /** Whether {@link DialOptions.onRead} is used; else the socket emits `data`. */
  readonly direct: boolean;
  readonly readyEvent: 'connect' | 'secureConnect';
}

const MAX_CONNECT_ANSWER_BYTES = 16_384;

/**
 * One buffer for all plain sockets: libuv reads into it and calls back before it reads again, and
 * the parser copies what it keeps.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

/**
 * Opens a socket straight to the origin, or to the proxy that takes whole requests.
 *
 * @param route - How the origin is reached.
 * @param options - What was asked for.
 * @returns A socket that is still connecting.
 */
export function dial(route: Route, options: DialOptions): Dialled {
  const { proxy } = route;
  if (proxy) return openSocket(proxy, { ...options, protocol: 'http/1.1' });
  return openSocket(route, options);
}

/** A tunnel under way. */
export interface Tunnelling {
  readonly opened: Promise<Dialled>;
  readonly abort: () => void;
}

/**
 * Asks a proxy for a tunnel to the origin; TLS to the origin goes through it.
 *
 * @param route - How the origin is reached.
 * @param proxy - Where the tunnel begins.
 * @param options - What was asked for.
 * @returns The tunnel to come, and a way to give it up.
 */
export function dialTunnel(route: Route, proxy: ProxyAddress, options: DialOptions): Tunnelling {
  const { socket, readyEvent } = openSocket(proxy, { protocol: 'http/1.1' });
  const opened = new Promise<Dialled>((resolve, reject) => {
    let answer = '';
    socket.once('error', reject);
    socket.once('close', onClose);
    socket.once(readyEvent, () => {
      socket.write(connectRequest(route, proxy));
    });
    socket.on('data', onData);
    function onClose(): void {
      reject(new Error('proxy closed the connection'));
    }
    function onData(bytes: Buffer): void {
      answer += bytes.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0 && answer.length < MAX_CONNECT_ANSWER_BYTES) return;
      socket.off('data', onData);
      socket.pause();
      // The origin may speak first, as an HTTP/2 server does: its bytes are for who comes next.
      if (end >= 0) socket.unshift(Buffer.from(answer.slice(end + 4), 'latin1'));
      if (/^HTTP\/1\.[01] 2\d\d[ \r]/.test(answer)) {
        socket.off('error', reject);
        socket.off('close', onClose);
        resolve(throughTunnel(socket, route, options));
      } else {
        socket.destroy();
        reject(new Error(`proxy refused the tunnel: ${answer.split('\r\n', 1)[0] ?? ''}`));
      }
    }
  });
  return {
    opened,
    abort: () => {
      socket.destroy();
    },
  };
}

function throughTunnel(socket: Socket, route: Route, options: DialOptions): Dialled {
  if (!route.secure) return { socket, direct: false, readyEvent: 'connect' };
  const secure = connectTls({
    socket,
    ALPNProtocols: [options.protocol],
    ...serverName(route.host),
  });
  return { socket: secure, direct: false, readyEvent: 'secureConnect' };
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

function openSocket({ host, port, secure }: Address, options: DialOptions): Dialled {
  if (secure) {
    const ALPNProtocols = [options.protocol];
    const socket = connectTls({ host, port, ALPNProtocols, ...serverName(host) });
    socket.setNoDelay(true);
    return { socket, direct: false, readyEvent: 'secureConnect' };
  }
  const { onRead } = options;
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    ...(onRead ? { onread: readInto(onRead) } : {}),
  });
  return { socket, direct: onRead !== undefined, readyEvent: 'connect' };
}

function readInto(onRead: (bytes: Buffer) => void): OnReadOpts {
  return {
    buffer: READ_BUFFER,
    callback: (length) => {
      onRead(READ_BUFFER.subarray(0, length));
      return true;
    },
  };
}

function serverName(host: string): { servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}

function connectRequest({ host, port }: Route, { authorization }: ProxyAddress): string {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`;
}
