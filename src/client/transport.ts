/** Header names in lower case to their (last) values. */
export type Headers = Record<string, string>;

/** One request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Headers;
  /** `null`: no body, and no `content-length` either. */
  readonly body: Uint8Array | null;
  /** Whether this request must not keep the process alive (health checks, traces). */
  readonly background?: boolean;
}

/** Status and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  /** Whether the body that follows is already decompressed, whatever the headers say. */
  readonly decoded?: boolean;
  /** Bytes that will follow, where the answer says so before. */
  readonly length: number | null;
}

/** Why an exchange failed: before a connection was there, or after. */
export class TransportError extends Error {
  readonly kind: 'connect' | 'network';
  /** Whether the request could succeed if it is sent again. */
  readonly retryable: boolean;

  constructor(kind: 'connect' | 'network', message: string, facts: TransportErrorFacts = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.name = 'TransportError';
    this.kind = kind;
    this.retryable = facts.retryable ?? true;
  }
}

/** What a {@link TransportError} may carry. */
export interface TransportErrorFacts {
  readonly cause?: unknown;
  readonly retryable?: boolean;
}

/** Where an answer goes. Exactly one of `onEnd` and `onError` is called, once and last. */
export interface AnswerSink {
  readonly onHead: (head: ResponseHead) => void;
  /** The bytes are the transport's: copy what is kept. */
  readonly onBody: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
  readonly onError: (error: TransportError) => void;
}

/** A request under way. */
export interface Exchange {
  /** Whether a connection carries the request. */
  readonly connected: boolean;
  /** Gives the request up: nothing more reaches the sink; the connection or stream is closed. */
  readonly abort: () => void;
}

/** A way to send requests. */
export interface Transport {
  /** Sends at once; nothing reaches the sink before this returns. */
  readonly send: (request: WireRequest, sink: AnswerSink) => Exchange;
  /** Closes idle connections now, and the others when their answers are read. */
  readonly close: () => void;
}
