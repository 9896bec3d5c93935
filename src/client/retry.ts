import { backoffMs } from './backoff.ts';
import {
  requestId,
  type Attempt,
  type BatchRequest,
  type CallContext,
  type Reply,
  type Step,
} from './call-context.ts';
import { PerformanceClientError } from './errors.ts';
import { waitAskedFor } from './leg.ts';
import type { Member } from './members.ts';
import { mayRetry } from './retry-rule.ts';

/**
 * Makes attempts for a batch until one succeeds or the rule of {@link mayRetry} says no. Each
 * retry waits, and then takes a permit of its member's gate for as long as it lasts.
 *
 * @param next - What makes a single attempt.
 * @param call - What its requests share.
 * @returns What carries a batch through.
 */
export function withRetry(next: Step<Attempt>, call: CallContext): Step<BatchRequest> {
  return async (request) => {
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(request, retry);
      } catch (thrown) {
        const error = described(thrown, { call, request, retry });
        const rule = { settings: call.settings, budget: call.retryBudget };
        if (call.scope.error || !mayRetry(error, retry, rule)) throw error;
        const waitMs = waitBefore(retry + 1, error, call);
        call.logger.debug?.('retrying a request', {
          batch: request.index,
          retry: retry + 1,
          waitMs,
          error: error.message,
        });
        await call.scope.sleep(waitMs);
      }
    }
  };

  function attempt(request: BatchRequest, retry: number): Promise<Reply> {
    if (call.scope.error) return Promise.reject(call.scope.error);
    const member = memberFor(request, retry);
    const made = { request, retry, hedge: null, member };
    return retry === 0 ? next(made) : gated(made);
  }

  async function gated(made: Attempt): Promise<Reply> {
    const { gate } = made.member;
    await gate.acquire(call.scope);
    try {
      if (call.scope.error) throw call.scope.error;
      return await next(made);
    } finally {
      gate.release();
    }
  }

  function memberFor(request: BatchRequest, retry: number): Member {
    return (retry === 0 ? call.pinned : null) ?? call.members.pick(request.tried);
  }
}

function waitBefore(retry: number, error: PerformanceClientError, call: CallContext): number {
  const { initialBackoffMs, honorRetryAfter } = call.settings;
  const asked = honorRetryAfter ? (waitAskedFor(error) ?? 0) : 0;
  return Math.max(backoffMs(retry, initialBackoffMs), asked);
}

interface Made {
  readonly call: CallContext;
  readonly request: BatchRequest;
  readonly retry: number;
}

// Adds to an error of a batch which request it was; the error of the call stays as it is.
function described(thrown: unknown, { call, request, retry }: Made): PerformanceClientError {
  const ended = call.scope.error;
  if (ended && thrown === ended) return ended;
  const error =
    thrown instanceof PerformanceClientError
      ? thrown
      : new PerformanceClientError('network', 'request failed', { cause: thrown });
  error.customerRequestId = requestId(call, request.index);
  error.batchIndex = request.index;
  error.attempts = retry + 1;
  return error;
}
