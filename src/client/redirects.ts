import {
  TransportError,
  type AnswerSink,
  type Exchange,
  type ResponseHead,
  type Transport,
  type WireRequest,
} from './transport.ts';

/** Redirects that one request follows. */
export const MAX_REDIRECTS = 10;

/**
 * A transport that follows redirects: 307 and 308 keep method and body, 301, 302 and 303 make a
 * GET of a POST. `authorization` goes to the same host and port only.
 *
 * @param transport - What sends its requests.
 * @returns A transport on the given one.
 */
export function withRedirects(transport: Transport): Transport {
  return {
    send: (request, sink) => new Redirected(transport, request, sink),
    close: transport.close,
  };
}

class Redirected implements Exchange, AnswerSink {
  readonly #transport: Transport;
  readonly #sink: AnswerSink;
  #request: WireRequest;
  #exchange: Exchange;
  /** Where the answer that is being read leads to. */
  #next: WireRequest | null = null;
  #followed = 0;

  constructor(transport: Transport, request: WireRequest, sink: AnswerSink) {
    this.#transport = transport;
    this.#request = request;
    this.#sink = sink;
    this.#exchange = transport.send(request, this);
  }

  get connected(): boolean {
    return this.#exchange.connected;
  }

  readonly abort = (): void => {
    this.#exchange.abort();
  };

  readonly onHead = (head: ResponseHead): void => {
    this.#next = nextRequest(head, this.#request);
    if (this.#next === null) this.#sink.onHead(head);
  };

  readonly onBody = (chunk: Uint8Array): void => {
    if (this.#next === null) this.#sink.onBody(chunk);
  };

  readonly onError = (error: TransportError): void => {
    this.#sink.onError(error);
  };

  readonly onEnd = (): void => {
    if (this.#next === null) {
      this.#sink.onEnd();
      return;
    }
    this.#followed += 1;
    if (this.#followed > MAX_REDIRECTS) {
      this.#sink.onError(new TransportError('network', 'too many redirects', { retryable: false }));
      return;
    }
    this.#request = this.#next;
    this.#next = null;
    this.#exchange = this.#transport.send(this.#request, this);
  };
}

const GET_AFTER = new Set([301, 302, 303]);
const SAME_AFTER = new Set([307, 308]);

// Where an answer leads to.
function targetOf({ status, headers }: ResponseHead, from: string): URL | null {
  const location = headers['location'];
  if (location === undefined || !(GET_AFTER.has(status) || SAME_AFTER.has(status))) return null;
  if (!URL.canParse(location, from)) return null;
  const url = new URL(location, from);
  return /^https?:$/.test(url.protocol) ? url : null;
}

// The request that an answer leads to, or `null` if it leads nowhere.
function nextRequest(head: ResponseHead, request: WireRequest): WireRequest | null {
  const { status } = head;
  const url = targetOf(head, request.url);
  if (!url) return null;
  // The whole origin: of https and http without a port the hosts are equal.
  const sameOrigin = url.origin === new URL(request.url).origin;
  const asGet = GET_AFTER.has(status) && request.method !== 'HEAD' && request.method !== 'GET';
  const dropped = new Set([
    'host',
    ...(sameOrigin ? [] : ['authorization', 'cookie', 'proxy-authorization']),
    ...(asGet ? ['content-type'] : []),
  ]);
  const kept = Object.entries(request.headers).filter(([name]) => !dropped.has(name));
  return {
    ...request,
    url: url.href,
    headers: Object.fromEntries<string>(kept),
    ...(asGet ? { method: 'GET', body: null } : {}),
  };
}
