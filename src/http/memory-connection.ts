import { duplexPair, type Duplex } from 'node:stream';

/** Who is at the other end of a connection. */
export interface Peer {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly remoteFamily: string | undefined;
}

/** A connection within the process: what is written at one end is read at the other. */
export interface MemoryConnection {
  readonly client: Duplex;
  readonly server: Duplex;
}

/**
 * Opens a connection that Node's HTTP server and client take for a socket.
 *
 * Closing one end closes the other, after what was written before has been read. Its ends have no
 * timeouts of their own: those are of the connection that it stands for.
 *
 * @param peer - Whom the server's end is said to be connected with.
 * @returns Both ends.
 */
export function openMemoryConnection(peer: Peer): MemoryConnection {
  const [client, server] = duplexPair();
  for (const [end, other] of [
    [client, server],
    [server, client],
  ] as const) {
    Object.assign(end, SOCKET_METHODS);
    end.once('close', () => other.destroy());
    // Whoever uses the end hears of the close.
    end.on('error', () => undefined);
  }
  return { client, server: Object.assign(server, peer) };
}

function chain(this: Duplex): Duplex {
  return this;
}

// What Node calls of a socket, with nothing to do here.
const SOCKET_METHODS = {
  setTimeout: chain,
  setNoDelay: chain,
  setKeepAlive: chain,
  ref: chain,
  unref: chain,
};
