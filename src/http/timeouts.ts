/** An idle connection is kept this long, in ms: clients keep theirs for 30 s and balancers for 60 s, and the side that closes first must be theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Headers must be complete by then, in ms, so that dripping clients hold no connection. */
export const HEADERS_TIMEOUT_MS = 60_000;

/** The whole request must have come by then, in ms: 2 MB in 300 s is 7 kB/s. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** How often the two are looked at, in ms; Node's 30 s would stretch them by half. */
export const TIMEOUT_CHECK_MS = 5_000;

/** No limit on silence while a request is at work: a large one may compute for minutes. */
export const SOCKET_TIMEOUT_MS = 0;

/** Request line and headers, in bytes: Node's own default, enough for long tokens and trace headers. */
export const MAX_HEADER_BYTES = 16_384;

/** Connections that may wait to be accepted: one client opens up to 1,024 at once. The system's own limit may be lower. */
export const BACKLOG = 2_048;

/** Of a refused upload, bytes that are read and thrown away so that the answer arrives. */
export const DISCARD_MAX_BYTES = 268_435_456;

/** The longest time that is spent on it, in ms. */
export const DISCARD_MAX_MS = 30_000;

/** A client that sends nothing for so long meanwhile, in ms, is cut off. */
export const DISCARD_IDLE_MS = 5_000;

/** A client that takes no byte of its answer for so long, in ms, is cut off. */
export const ANSWER_STALL_MS = 60_000;

/** The times of connections, in ms. */
export interface ConnectionTimes {
  /** For connections in no request, and for new ones until their first byte. */
  readonly keepAliveMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** How often the two before are looked at. */
  readonly checkMs: number;
}

/** The times of a server. */
export const CONNECTION_TIMES: ConnectionTimes = {
  keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  checkMs: TIMEOUT_CHECK_MS,
};
