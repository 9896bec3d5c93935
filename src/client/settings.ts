import type { CancellationToken } from './cancellation-token.ts';
import { invalid } from './errors.ts';
import { DEFAULTS, type ModelLimits, type PreferenceOptions } from './preference-options.ts';
import type { TraceContext } from './trace-context.ts';

/** Preferences of one call, checked and with every default. */
export interface Settings {
  readonly timeoutS: number;
  readonly totalTimeoutS: number | null;
  readonly hedgeDelayS: number | null;
  readonly maxCharsPerRequest: number;
  readonly maxConcurrentRequests: number;
  readonly batchSize: number;
  readonly hedgeBudgetPct: number;
  readonly retryBudgetPct: number;
  readonly maxRetries: number;
  readonly initialBackoffMs: number;
  readonly pinInitialEndpointOnce: boolean;
  readonly cancelToken: CancellationToken | null;
  readonly signal: AbortSignal | null;
  readonly nonRetryableStatusCodes: ReadonlySet<number>;
  readonly honorRetryAfter: boolean;
  readonly attemptIds: boolean;
  readonly failFast: boolean;
  readonly vectors: 'array' | 'float32';
  readonly limits: 'server' | ModelLimits | null;
  readonly traceContext: TraceContext | null;
  readonly apiKeyOverride: string | null;
  readonly extraHeaders: Readonly<Record<string, string>>;
}

const MIN_TIMEOUT_S = 0.1;
const MAX_TIMEOUT_S = 3600;
const MIN_HEDGE_DELAY_S = 0.045;
const MAX_BUDGET_PCT = 3;
/** Below this many texts a request, only so many requests may be open. */
const SMALL_BATCH = 16;
const MAX_CONCURRENT_SMALL = 512;

/**
 * Checks preferences in the order that the API promises.
 *
 * @param options - What was asked for.
 * @returns Every setting, with its default.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` for the first fault.
 */
export function checkSettings(options: PreferenceOptions): Settings {
  const times = checkTimes(options);
  const counts = checkCounts(options);
  return {
    ...times,
    ...counts,
    hedgeBudgetPct: budgetPct(
      'hedge_budget_pct',
      options.hedgeBudgetPct ?? DEFAULTS.hedgeBudgetPct,
    ),
    retryBudgetPct: budgetPct(
      'retry_budget_pct',
      options.retryBudgetPct ?? DEFAULTS.retryBudgetPct,
    ),
    ...checkRetries(options),
    ...switchesOf(options),
    vectors: options.vectors ?? 'array',
    limits: options.limits ?? null,
    cancelToken: options.cancelToken ?? null,
    signal: options.signal ?? null,
    traceContext: options.traceContext ?? null,
    apiKeyOverride: options.primaryApiKeyOverride ?? null,
    extraHeaders: options.extraHeaders ?? {},
  };
}

/**
 * A whole number that isn't negative.
 *
 * @param name - As it is written.
 * @param value - What the answer, header or option holds.
 * @returns The same number.
 * @throws {@link PerformanceClientError} if it is anything else.
 */
export function wholeNumber(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw invalid(`${name} must be a non-negative integer`);
}

type Times = Pick<Settings, 'timeoutS' | 'totalTimeoutS' | 'hedgeDelayS'>;

function checkTimes(options: PreferenceOptions): Times {
  const timeoutS = checkTimeout(options.timeoutS ?? DEFAULTS.timeoutS);
  const totalTimeoutS = checkTotal(options.totalTimeoutS ?? null, timeoutS);
  const hedgeDelayS = checkHedgeDelay(options.hedgeDelay ?? null, timeoutS);
  return { timeoutS, totalTimeoutS, hedgeDelayS };
}

function checkTimeout(value: number): number {
  const timeout = aNumber('timeout_s', value);
  if (timeout >= MIN_TIMEOUT_S && timeout <= MAX_TIMEOUT_S) return timeout;
  const range = `[${seconds(MIN_TIMEOUT_S)}, ${seconds(MAX_TIMEOUT_S)}]`;
  throw invalid(`Timeout ${seconds(timeout)} is outside the allowed range ${range}.`);
}

function checkTotal(value: number | null, timeoutS: number): number | null {
  if (value === null) return null;
  const total = aNumber('total_timeout_s', value);
  if (total >= timeoutS && total !== Infinity) return total;
  throw invalid(
    `Total timeout ${seconds(total)} must be greater than or equal to ` +
      `individual request timeout ${seconds(timeoutS)}.`,
  );
}

function checkHedgeDelay(value: number | null, timeoutS: number): number | null {
  if (value === null) return null;
  const delay = aNumber('hedge_delay', value);
  if (!(delay >= MIN_HEDGE_DELAY_S && delay <= MAX_TIMEOUT_S)) {
    const range = `[${seconds(MIN_HEDGE_DELAY_S)}, ${seconds(MAX_TIMEOUT_S)}]`;
    throw invalid(`Hedge delay ${seconds(delay)} is outside the allowed range ${range}.`);
  }
  if (delay < timeoutS - MIN_HEDGE_DELAY_S) return delay;
  throw invalid(
    `Hedge delay ${seconds(delay)} must be less than timeout minus minimum hedge delay ` +
      `(${seconds(timeoutS)} -${seconds(MIN_HEDGE_DELAY_S)}).`,
  );
}

type Counts = Pick<Settings, 'maxCharsPerRequest' | 'maxConcurrentRequests' | 'batchSize'>;

function checkCounts(options: PreferenceOptions): Counts {
  const maxCharsPerRequest = within(
    'max_chars_per_request',
    options.maxCharsPerRequest ?? DEFAULTS.maxCharsPerRequest,
    { min: 50, max: 1_048_576, rule: 'must be between 50 and 1048576 characters.' },
  );
  const upTo1024 = {
    min: 1,
    max: 1024,
    rule: 'must be greater than 0 and less than or equal to 1024',
  };
  const maxConcurrentRequests = within(
    'max_concurrent_requests',
    options.maxConcurrentRequests ?? DEFAULTS.maxConcurrentRequests,
    upTo1024,
  );
  const batchSize = within('batch_size', options.batchSize ?? DEFAULTS.batchSize, upTo1024);
  if (batchSize < SMALL_BATCH && maxConcurrentRequests > MAX_CONCURRENT_SMALL) {
    throw invalid(
      'max_concurrent_requests must be less than 512 when batch_size is less than 16. ' +
        'Please be nice to the server side.',
    );
  }
  return { maxCharsPerRequest, maxConcurrentRequests, batchSize };
}

type Retries = Pick<Settings, 'maxRetries' | 'initialBackoffMs' | 'nonRetryableStatusCodes'>;

function checkRetries(options: PreferenceOptions): Retries {
  return {
    maxRetries: within('max_retries', options.maxRetries ?? DEFAULTS.maxRetries, {
      min: 0,
      max: 6,
      rule: 'cannot exceed 6',
    }),
    initialBackoffMs: within(
      'initial_backoff_ms',
      options.initialBackoffMs ?? DEFAULTS.initialBackoffMs,
      { min: 50, max: 45_000, rule: 'must be between 50 and 45000 milliseconds' },
    ),
    nonRetryableStatusCodes: statusCodes(options.nonRetryableStatusCodes ?? []),
  };
}

function statusCodes(codes: Iterable<number>): ReadonlySet<number> {
  const rule = { min: 0, max: 65_535, rule: 'must be a non-negative integer' };
  return new Set(Array.from(codes, (code) => within('non_retryable_status_codes', code, rule)));
}

type Switches = Pick<
  Settings,
  'pinInitialEndpointOnce' | 'honorRetryAfter' | 'attemptIds' | 'failFast'
>;

function switchesOf(options: PreferenceOptions): Switches {
  return {
    pinInitialEndpointOnce: options.pinInitialEndpointOnce ?? false,
    honorRetryAfter: options.honorRetryAfter ?? true,
    attemptIds: options.attemptIds ?? false,
    failFast: options.failFast ?? true,
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
  /** What the message says of a number out of range. */
  readonly rule: string;
}

function within(name: string, value: unknown, { min, max, rule }: Range): number {
  const number = wholeNumber(name, value);
  if (number >= min && number <= max) return number;
  throw invalid(`${name} ${rule}`);
}

function budgetPct(name: string, value: unknown): number {
  const pct = aNumber(name, value);
  if (Number.isNaN(pct)) throw invalid(`${name} must be a number`);
  if (pct < 0) throw invalid(`${name} cannot be negative`);
  if (pct > MAX_BUDGET_PCT) throw invalid(`${name} cannot exceed 3 (300%)`);
  return pct;
}

function aNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  throw invalid(`${name} must be a number`);
}

// Seconds with three decimals, or the names that other languages give to the odd values.
function seconds(value: number): string {
  if (Number.isFinite(value)) return `${value.toFixed(3)}s`;
  if (Number.isNaN(value)) return 'NaNs';
  return value > 0 ? 'infs' : '-infs';
}
