import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { textOf } from '../errors.ts';
import type { ProxyChoice } from '../sockets/proxy.ts';
import { routeTo } from '../sockets/route.ts';
import {
  TransportError,
  type AnswerSink,
  type Exchange,
  type Headers,
  type ResponseHead,
  type Transport,
  type WireRequest,
} from '../transport.ts';
import { openStream, type PooledSession } from './pooled-session.ts';
import { SessionPool } from './session-pool.ts';

/** HTTP/2: with prior knowledge on `http://`, by ALPN on `https://`. */
export class Http2Transport implements Transport {
  readonly #proxies: ProxyChoice;
  readonly #pools = new Map<string, SessionPool>();

  constructor(proxies: ProxyChoice) {
    this.#proxies = proxies;
  }

  readonly send = (request: WireRequest, sink: AnswerSink): Exchange => {
    const url = new URL(request.url);
    let pool = this.#pools.get(url.origin);
    if (!pool) {
      pool = new SessionPool(url.origin, routeTo(url, this.#proxies, true));
      this.#pools.set(url.origin, pool);
    }
    const exchange = new Http2Exchange({ request, url, session: pool.take() }, sink);
    return exchange;
  };

  readonly close = (): void => {
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
  };

  /**
   * @returns Streams of each open session.
   */
  streams(): readonly number[] {
    return [...this.#pools.values()].flatMap((pool) => pool.streams);
  }
}

interface Outgoing {
  readonly request: WireRequest;
  readonly url: URL;
  readonly session: PooledSession;
}

/** One stream, from the wait for its connection to its last byte. */
class Http2Exchange implements Exchange {
  readonly #outgoing: Outgoing;
  #sink: AnswerSink | null;
  #stream: ClientHttp2Stream | null = null;

  constructor(outgoing: Outgoing, sink: AnswerSink) {
    this.#outgoing = outgoing;
    this.#sink = sink;
    outgoing.session.whenConnected(this);
  }

  get connected(): boolean {
    return this.#outgoing.session.connected;
  }

  readonly abort = (): void => {
    if (!this.#finish()) return;
    this.#outgoing.session.forget(this);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  };

  readonly onError = (cause: unknown): void => {
    const sink = this.#finish();
    const kind = this.connected ? 'network' : 'connect';
    sink?.onError(new TransportError(kind, textOf(cause), { cause }));
  };

  readonly onSession = (session: ClientHttp2Session): void => {
    const { request, url } = this.#outgoing;
    let stream: ClientHttp2Stream;
    try {
      stream = openStream(session, headersOf(request, url), request.body !== null);
    } catch (error) {
      // The session began to close while the stream was on its way: nothing was sent.
      queueMicrotask(() => {
        this.onError(error);
      });
      return;
    }
    this.#stream = stream;
    stream.on('response', (headers) => {
      this.#sink?.onHead(headOf(headers));
    });
    stream.on('data', (chunk: Buffer) => {
      this.#sink?.onBody(chunk);
    });
    stream.on('end', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.#finish()?.onEnd();
    });
    stream.on('error', this.onError);
    stream.on('close', () => {
      const cause = this.#outgoing.session.error ?? new Error(`stream closed (${stream.rstCode})`);
      this.onError(cause);
    });
    if (request.body) stream.end(request.body);
  };

  // Ends the exchange once; returns the sink that is still to be told, if there is one.
  #finish(): AnswerSink | null {
    const sink = this.#sink;
    if (!sink) return null;
    this.#sink = null;
    this.#outgoing.session.release();
    return sink;
  }
}

/** HTTP/2 has no headers of the connection. */
const CONNECTION_HEADERS = new Set(['host', 'keep-alive', 'upgrade', 'proxy-connection']);

function headersOf(request: WireRequest, url: URL): Headers {
  const headers: Headers = {
    ':method': request.method,
    ':path': `${url.pathname}${url.search}`,
    ':scheme': url.protocol.slice(0, -1),
    ':authority': request.headers['host'] ?? url.host,
  };
  for (const [name, value] of Object.entries(request.headers)) {
    if (!CONNECTION_HEADERS.has(name)) headers[name] = value;
  }
  if (request.body) headers['content-length'] = String(request.body.length);
  return headers;
}

function headOf(raw: object): ResponseHead {
  const headers: Headers = {};
  let status = 0;
  for (const [name, value] of Object.entries(raw) as [string, string | number | string[]][]) {
    if (name === ':status') status = Number(value);
    else headers[name] = String(Array.isArray(value) ? value.at(-1) : value);
  }
  const length = headers['content-length'];
  return { status, headers, length: length === undefined ? null : Number(length) };
}
