/** A W3C trace context to continue: what a caller's own tracing gives. */
export class TraceContext {
  /** Value of the `traceparent` header; checked when a call starts. */
  readonly traceparent: string;
  /** Value of the `tracestate` header, or `null`. */
  readonly tracestate: string | null;

  constructor(traceparent: string, tracestate?: string | null) {
    this.traceparent = traceparent;
    this.tracestate = tracestate ?? null;
  }
}
