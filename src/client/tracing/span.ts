/** A trace that a caller started. */
export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  /** W3C flags, masked with 3. */
  readonly flags: number;
  readonly state: string;
}

/** A call as it is exported. */
export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly state: string;
  readonly flags: number;
  readonly startMs: number;
  /** Monotonic clock at the start. */
  readonly startedAtMs: number;
}

/** A span that is over. */
export interface EndedSpan extends Span {
  readonly endMs: number;
  readonly ok: boolean;
}

/** Version 00 ends after the flags, later ones may go on, ff is none; an id isn't all zeros. */
const TRACEPARENT =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Flags that the client understands: sampled, and random trace id. */
const KNOWN_FLAGS = 3;
const SAMPLED = 1;

/**
 * Reads a `traceparent`; `null` if it isn't one.
 *
 * @param value - What the answer, header or option holds.
 * @param state - The `tracestate` that came with it.
 * @returns Its parts, or `null`.
 */
export function parseTraceparent(value: string, state: string): Parent | null {
  const match = TRACEPARENT.exec(value.trim());
  if (!match) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS, state };
}

/**
 * @param root0 - What belongs together for it.
 * @returns Whether a trace is recorded.
 */
export function isSampled({ flags }: Parent): boolean {
  return (flags & SAMPLED) !== 0;
}

/**
 * Starts a span below a parent, or a trace of its own.
 *
 * @param name - As it is written.
 * @param parent - The trace to continue, or `null` for a new one.
 * @returns A span that began now.
 */
export function startSpan(name: string, parent: Parent | null): Span {
  return {
    name,
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    parentSpanId: parent?.spanId ?? '',
    state: parent?.state ?? '',
    flags: parent?.flags ?? SAMPLED,
    startMs: Date.now(),
    startedAtMs: performance.now(),
  };
}

/**
 * Ends a span now.
 *
 * @param span - As it was started.
 * @param ok - Whether the call resolved.
 * @returns The same span with its end.
 */
export function endSpan(span: Span, ok: boolean): EndedSpan {
  return { ...span, endMs: span.startMs + performance.now() - span.startedAtMs, ok };
}

/**
 * @param root0 - What belongs together for it.
 * @returns The `traceparent` that requests of a span carry.
 */
export function traceparentOf({ traceId, spanId, flags }: Span): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}

/**
 * @param bytes - Bytes to read; a view is enough.
 * @returns Random bytes as lower-case hex.
 */
export function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}
