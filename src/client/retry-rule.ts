import type { Budget } from './budget.ts';
import type { ErrorKind, PerformanceClientError } from './errors.ts';
import { isFinal } from './leg.ts';
import type { Settings } from './settings.ts';

/** Retries after attempts that found no server. */
const MAX_CONNECT_RETRIES = 2;
const RETRYABLE = new Set([408, 409, 429]);

/** What a call allows. */
export interface RetryRule {
  readonly settings: Settings;
  readonly budget: Budget;
}

interface Facts {
  readonly retry: number;
  readonly settings: Settings;
  readonly budget: Budget;
  readonly status: number;
}

const RULES: Readonly<Record<ErrorKind, (facts: Facts) => boolean>> = {
  http: ({ settings, status }) =>
    isRetryableStatus(status) && !settings.nonRetryableStatusCodes.has(status),
  connect: ({ retry }) => retry < MAX_CONNECT_RETRIES,
  network: ({ retry, budget }) => retry === 0 || budget.take(),
  remote_timeout: ({ budget }) => budget.take(),
  cancelled: never,
  invalid_parameter: never,
  local_timeout: never,
  serialization: never,
};

function never(): boolean {
  return false;
}

/**
 * @param status - Of the answer.
 * @returns Whether a status is worth another attempt.
 */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE.has(status) || (status >= 500 && status <= 599);
}

/**
 * Whether an attempt that failed is made again; may take a unit of the budget.
 *
 * @param error - Why it failed.
 * @param retry - Retries made so far.
 * @param rule - What the call allows.
 * @returns `true` if it is made again.
 */
export function mayRetry(error: PerformanceClientError, retry: number, rule: RetryRule): boolean {
  const { settings, budget } = rule;
  if (retry >= settings.maxRetries || isFinal(error)) return false;
  return RULES[error.kind]({ retry, settings, budget, status: error.status ?? 0 });
}
