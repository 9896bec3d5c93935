import { Agent } from 'node:http';
import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bridgeStream } from './h2-stream.ts';
import { openMemoryConnection, type Peer } from './memory-connection.ts';

/** Header fields of a stream. Source: Node's `maxHeadersCount` of HTTP/1.1; their bytes are bounded there, too. */
const MAX_HEADER_FIELDS = 2000;

/** Bytes that a client may send on a stream before they are read: a whole body of the largest size. */
const STREAM_WINDOW_BYTES = 2_097_152;

/** The same on all streams of a connection together. */
const CONNECTION_WINDOW_BYTES = 16_777_216;

/** Requests that a connection may have open at once: one client opens up to 1,024. */
const MAX_STREAMS = 1_024;

/** Memory of a connection, in MB, beyond which new streams are refused; Node's 10 are too few for large answers. */
const MAX_SESSION_MB = 256;

/** Connections to the HTTP/1.1 server that are kept for the next streams of a connection. */
const MAX_SPARE_CONNECTIONS = 64;

/** What a bridge needs. */
export interface BridgeOptions {
  /** Gives a connection to the HTTP/1.1 server. */
  readonly accept: (connection: Duplex) => void;
  /** A connection without streams is kept for so long, in ms. */
  readonly keepAliveMs: number;
  /** For clients that take no byte of their answer, in ms. */
  readonly stallMs: number;
}

/** Of a session: what it gives its listeners. */
type StreamEvent = [
  stream: ServerHttp2Stream,
  headers: unknown,
  flags: unknown,
  rawHeaders: readonly string[],
];

/**
 * HTTP/2 in front of an HTTP/1.1 server: each stream becomes a request on a connection in memory, so
 * that limits, errors, logs and timeouts are those of HTTP/1.1.
 */
export class Http2Bridge {
  readonly #options: BridgeOptions;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#server = createServer({
      maxSessionMemory: MAX_SESSION_MB,
      maxHeaderListPairs: MAX_HEADER_FIELDS,
      settings: {
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxConcurrentStreams: MAX_STREAMS,
      },
    });
    this.#server.on('session', this.#onSession);
  }

  /**
   * Takes a connection over.
   *
   * @param socket - Its first bytes, still to be read, are the preface of HTTP/2.
   */
  take(socket: Socket): void {
    // Of HTTP/1.1, where a client may close its side and wait for its answer. Here it's gone.
    socket.once('end', () => socket.destroy());
    this.#server.emit('connection', socket);
  }

  /** Lets all connections take no new streams, and end when those they have are done. */
  closeSessions(): void {
    for (const session of this.#sessions) session.close();
  }

  readonly #onSession = (session: ServerHttp2Session): void => {
    const { accept, keepAliveMs, stallMs } = this.#options;
    const { socket } = session;
    const agent = new MemoryAgent(socket, accept);
    let streams = 0;
    this.#sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    session.on('stream', (...[stream, , , rawHeaders]: StreamEvent) => {
      streams += 1;
      stream.once('close', () => {
        streams -= 1;
      });
      bridgeStream(stream, rawHeaders, { agent, stallMs });
    });
    session.setTimeout(keepAliveMs, () => {
      if (streams === 0) session.destroy();
    });
    session.once('close', () => {
      this.#sessions.delete(session);
      agent.destroy();
    });
  };
}

// Opens connections in memory, and keeps them for the next requests.
class MemoryAgent extends Agent {
  readonly #peer: Peer;
  readonly #accept: (connection: Duplex) => void;

  constructor(
    { remoteAddress, remotePort, remoteFamily }: Peer,
    accept: (connection: Duplex) => void,
  ) {
    super({ keepAlive: true, maxFreeSockets: MAX_SPARE_CONNECTIONS });
    this.#peer = { remoteAddress, remotePort, remoteFamily };
    this.#accept = accept;
  }

  override createConnection(): Duplex {
    const { client, server } = openMemoryConnection(this.#peer);
    this.#accept(server);
    return client;
  }
}
