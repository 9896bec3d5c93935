import type { CancellationToken } from './cancellation-token.ts';
import { DEFAULTS, type ModelLimits, type PreferenceOptions } from './preference-options.ts';
import { TraceContext } from './trace-context.ts';

type Nullable<T> = T | null | undefined;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * How a call is carried out, as an object that can be made once and used for many calls. Values are
 * checked when a call starts. Getters apply the defaults; setting `null` means "not set".
 */
export class RequestProcessingPreference {
  readonly #options: Writable<PreferenceOptions>;

  // The positions are those of the API that programs were written for.
  // eslint-disable-next-line max-params
  constructor(
    maxConcurrentRequests?: number | null,
    batchSize?: number | null,
    timeoutS?: number | null,
    maxCharsPerRequest?: number | null,
    pinInitialEndpointOnce?: boolean | null,
    hedgeDelay?: number | null,
    totalTimeoutS?: number | null,
    hedgeBudgetPct?: number | null,
    retryBudgetPct?: number | null,
    maxRetries?: number | null,
    initialBackoffMs?: number | null,
    cancelToken?: CancellationToken | null,
    primaryApiKeyOverride?: string | null,
    extraHeaders?: Record<string, string> | null,
    nonRetryableStatusCodes?: Iterable<number> | null,
    traceparent?: TraceContext | string | null,
    tracestate?: string | null,
  ) {
    this.#options = {
      maxConcurrentRequests,
      batchSize,
      timeoutS,
      maxCharsPerRequest,
      pinInitialEndpointOnce,
      hedgeDelay,
      totalTimeoutS,
      hedgeBudgetPct,
      retryBudgetPct,
      maxRetries,
      initialBackoffMs,
      cancelToken,
      primaryApiKeyOverride,
      extraHeaders,
      nonRetryableStatusCodes,
      traceContext: traceContextOf(traceparent, tracestate),
    };
  }

  /**
   * @returns A preference with every default.
   */
  static default(): RequestProcessingPreference {
    return new RequestProcessingPreference();
  }

  /**
   * A preference from an object with names.
   *
   * @param options - What was asked for.
   * @returns A new object.
   */
  static from(options: PreferenceOptions): RequestProcessingPreference {
    const preference = new RequestProcessingPreference();
    Object.assign(preference.#options, options);
    return preference;
  }

  /**
   * The fields as they were set, without defaults; a copy.
   *
   * @returns A new object.
   */
  toOptions(): PreferenceOptions {
    return { ...this.#options };
  }

  /**
   * @returns Whether there is a trace to continue, as a context or as a header among the extra
   * ones.
   */
  get hasExplicitTraceContext(): boolean {
    const names = Object.keys(this.#options.extraHeaders ?? {}).map((name) => name.toLowerCase());
    const header = names.some((name) => name === 'traceparent' || name === 'tracestate');
    return header || Boolean(this.#options.traceContext);
  }

  /**
   * A copy that continues a trace.
   *
   * @param traceparent - The header, or a whole context.
   * @param tracestate - The header, if there is one.
   * @returns A new object.
   */
  withTraceContext(
    traceparent: TraceContext | string,
    tracestate?: string | null,
  ): RequestProcessingPreference {
    const traceContext = traceContextOf(traceparent, tracestate);
    return RequestProcessingPreference.from({ ...this.#options, traceContext });
  }

  /**
   * @returns Trace to continue, or `null`.
   */
  get traceContext(): TraceContext | null {
    return this.#options.traceContext ?? null;
  }

  set traceContext(value: Nullable<TraceContext>) {
    this.#options.traceContext = value;
  }

  /**
   * @returns Statuses that are not retried although they would be; sorted, each once.
   */
  get nonRetryableStatusCodes(): number[] {
    const codes = new Set(this.#options.nonRetryableStatusCodes ?? []);
    return [...codes].sort((one, other) => one - other);
  }

  set nonRetryableStatusCodes(value: Nullable<Iterable<number>>) {
    this.#options.nonRetryableStatusCodes = value;
  }

  /**
   * @returns Requests of one call that may be open at once.
   */
  get maxConcurrentRequests(): number {
    return this.#options.maxConcurrentRequests ?? DEFAULTS.maxConcurrentRequests;
  }

  set maxConcurrentRequests(value: Nullable<number>) {
    this.#options.maxConcurrentRequests = value;
  }

  /**
   * @returns Texts of one request.
   */
  get batchSize(): number {
    return this.#options.batchSize ?? DEFAULTS.batchSize;
  }

  set batchSize(value: Nullable<number>) {
    this.#options.batchSize = value;
  }

  /**
   * @returns Seconds for one attempt.
   */
  get timeoutS(): number {
    return this.#options.timeoutS ?? DEFAULTS.timeoutS;
  }

  set timeoutS(value: Nullable<number>) {
    this.#options.timeoutS = value;
  }

  /**
   * @returns Code points of one request.
   */
  get maxCharsPerRequest(): number {
    return this.#options.maxCharsPerRequest ?? DEFAULTS.maxCharsPerRequest;
  }

  set maxCharsPerRequest(value: Nullable<number>) {
    this.#options.maxCharsPerRequest = value;
  }

  /**
   * @returns Whether the first attempts of a call all go to one member of the pool.
   */
  get pinInitialEndpointOnce(): boolean {
    return this.#options.pinInitialEndpointOnce ?? false;
  }

  set pinInitialEndpointOnce(value: Nullable<boolean>) {
    this.#options.pinInitialEndpointOnce = value;
  }

  /**
   * @returns Seconds without an answer before a request is hedged; `null`: never.
   */
  get hedgeDelay(): number | null {
    return this.#options.hedgeDelay ?? null;
  }

  set hedgeDelay(value: Nullable<number>) {
    this.#options.hedgeDelay = value;
  }

  /**
   * @returns Seconds for the whole call; `null`: no end.
   */
  get totalTimeoutS(): number | null {
    return this.#options.totalTimeoutS ?? null;
  }

  set totalTimeoutS(value: Nullable<number>) {
    this.#options.totalTimeoutS = value;
  }

  /**
   * @returns Share of the batches that may be hedged.
   */
  get hedgeBudgetPct(): number {
    return this.#options.hedgeBudgetPct ?? DEFAULTS.hedgeBudgetPct;
  }

  set hedgeBudgetPct(value: Nullable<number>) {
    this.#options.hedgeBudgetPct = value;
  }

  /**
   * @returns Share of the batches that may be retried after timeouts.
   */
  get retryBudgetPct(): number {
    return this.#options.retryBudgetPct ?? DEFAULTS.retryBudgetPct;
  }

  set retryBudgetPct(value: Nullable<number>) {
    this.#options.retryBudgetPct = value;
  }

  /**
   * @returns Retries of one batch.
   */
  get maxRetries(): number {
    return this.#options.maxRetries ?? DEFAULTS.maxRetries;
  }

  set maxRetries(value: Nullable<number>) {
    this.#options.maxRetries = value;
  }

  /**
   * @returns Milliseconds before the first retry.
   */
  get initialBackoffMs(): number {
    return this.#options.initialBackoffMs ?? DEFAULTS.initialBackoffMs;
  }

  set initialBackoffMs(value: Nullable<number>) {
    this.#options.initialBackoffMs = value;
  }

  /**
   * @returns Token that cancels the call.
   */
  get cancelToken(): CancellationToken | null {
    return this.#options.cancelToken ?? null;
  }

  set cancelToken(value: Nullable<CancellationToken>) {
    this.#options.cancelToken = value;
  }

  /**
   * @returns Key that is used in place of the client's.
   */
  get primaryApiKeyOverride(): string | null {
    return this.#options.primaryApiKeyOverride ?? null;
  }

  set primaryApiKeyOverride(value: Nullable<string>) {
    this.#options.primaryApiKeyOverride = value;
  }

  /**
   * @returns Headers for every request.
   */
  get extraHeaders(): Record<string, string> | null {
    return this.#options.extraHeaders ?? null;
  }

  set extraHeaders(value: Nullable<Record<string, string>>) {
    this.#options.extraHeaders = value;
  }

  /**
   * @returns Signal that cancels the call.
   */
  get signal(): AbortSignal | null {
    return this.#options.signal ?? null;
  }

  set signal(value: Nullable<AbortSignal>) {
    this.#options.signal = value;
  }

  /**
   * @returns Whether `Retry-After` lengthens the wait before a retry.
   */
  get honorRetryAfter(): boolean {
    return this.#options.honorRetryAfter ?? true;
  }

  set honorRetryAfter(value: Nullable<boolean>) {
    this.#options.honorRetryAfter = value;
  }

  /**
   * @returns Whether retries and hedges get request ids of their own.
   */
  get attemptIds(): boolean {
    return this.#options.attemptIds ?? false;
  }

  set attemptIds(value: Nullable<boolean>) {
    this.#options.attemptIds = value;
  }

  /**
   * @returns Whether the first batch that fails for good rejects the call.
   */
  get failFast(): boolean {
    return this.#options.failFast ?? true;
  }

  set failFast(value: Nullable<boolean>) {
    this.#options.failFast = value;
  }

  /**
   * @returns What embeddings become.
   */
  get vectors(): 'array' | 'float32' {
    return this.#options.vectors ?? 'array';
  }

  set vectors(value: Nullable<'array' | 'float32'>) {
    this.#options.vectors = value;
  }

  /**
   * @returns Limits to plan the batches by.
   */
  get limits(): 'server' | ModelLimits | null {
    return this.#options.limits ?? null;
  }

  set limits(value: Nullable<'server' | ModelLimits>) {
    this.#options.limits = value;
  }
}

/**
 * Either form of a preference as options.
 *
 * @param preference - In either form, or none.
 * @returns The fields that were set.
 */
export function optionsOf(
  preference: RequestProcessingPreference | PreferenceOptions | null | undefined,
): PreferenceOptions {
  if (preference instanceof RequestProcessingPreference) return preference.toOptions();
  return preference ?? {};
}

function traceContextOf(
  traceparent: Nullable<TraceContext | string>,
  tracestate: Nullable<string>,
): TraceContext | null {
  if (traceparent instanceof TraceContext) {
    return new TraceContext(traceparent.traceparent, tracestate ?? traceparent.tracestate);
  }
  const given = typeof traceparent === 'string' || typeof tracestate === 'string';
  return given ? new TraceContext(traceparent ?? '', tracestate) : null;
}
