import type { CancellationToken } from './cancellation-token.ts';
import type { TraceContext } from './trace-context.ts';

/** Makes every member optional and nullable; `null` means "not set". */
type Unset<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Limits that a server publishes for a model, under its own names. */
export interface ModelLimits {
  /** Largest body of a request, in bytes. */
  readonly max_body_bytes: number;
  /** Most inputs of a request. */
  readonly max_batch_size: number;
  /** Most bytes of the padded tensor: inputs × context length × 8. */
  readonly max_padded_bytes: number;
  /** Tokens that the model takes. */
  readonly context_length: number;
}

/** The fields of {@link PreferenceOptions} with the types that they have when set. */
export interface PreferenceFields {
  /** Requests of one call that may be open at once, 1 to 1024; 256. */
  maxConcurrentRequests: number;
  /** Texts of one request, 1 to 1024; 8. */
  batchSize: number;
  /** Seconds for one attempt, from sending to the last byte, 0.1 to 3600; 3600. */
  timeoutS: number;
  /** Code points of one request, 50 to 1,048,576; 8000. */
  maxCharsPerRequest: number;
  /** Whether the first attempts of a call all go to one member of the endpoint pool; false. */
  pinInitialEndpointOnce: boolean;
  /** Seconds without an answer after which a request is sent a second time, from 0.045; off. */
  hedgeDelay: number;
  /** Seconds for the whole call; none. */
  totalTimeoutS: number;
  /** Share of the batches that may be hedged, 0 to 3; 0.1. */
  hedgeBudgetPct: number;
  /** Share of the batches that may be retried after timeouts and resets, 0 to 3; 0.05. */
  retryBudgetPct: number;
  /** Retries of one batch, 0 to 6; 5. */
  maxRetries: number;
  /** Milliseconds before the first retry, 50 to 45,000; then fourfold each time; 125. */
  initialBackoffMs: number;
  /** Cancels the call. */
  cancelToken: CancellationToken;
  /** Key to use in place of the client's. */
  primaryApiKeyOverride: string;
  /** Headers for every request; they replace the client's own of the same name. */
  extraHeaders: Record<string, string>;
  /** Statuses that are not retried although they would be. */
  nonRetryableStatusCodes: Iterable<number>;
  /** Trace to continue. */
  traceContext: TraceContext;
  /** Cancels the call. */
  signal: AbortSignal;
  /** Whether a server's `Retry-After` lengthens the wait before a retry; true. */
  honorRetryAfter: boolean;
  /** Whether retries and hedges get request ids of their own; false. */
  attemptIds: boolean;
  /** Whether the first batch that fails for good rejects the call; true. */
  failFast: boolean;
  /** What embeddings become: `number[]` or `Float32Array`; `array`. */
  vectors: 'array' | 'float32';
  /** Limits to plan the batches by; `server` asks the server for them. */
  limits: 'server' | ModelLimits;
}

/** How a call is carried out; every field may be left out. */
export type PreferenceOptions = Unset<PreferenceFields>;

/** What a field is when it isn't set. */
export const DEFAULTS = {
  maxConcurrentRequests: 256,
  batchSize: 8,
  timeoutS: 3600,
  maxCharsPerRequest: 8000,
  hedgeBudgetPct: 0.1,
  retryBudgetPct: 0.05,
  maxRetries: 5,
  initialBackoffMs: 125,
} as const satisfies PreferenceOptions;
