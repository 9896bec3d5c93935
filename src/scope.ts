/** What a stage must know of the request that it works for. */
export interface RequestScope {
  /** As in the `x-request-id` of the answer. */
  readonly id: string;
  /** Aborts when nobody waits for the answer any more; its reason is a `ServeError`. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`, in ms; Infinity if the client named none. */
  readonly deadlineMs: number;
}
