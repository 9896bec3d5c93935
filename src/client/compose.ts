import type { BatchRequest, CallContext, Step } from './call-context.ts';
import { withHedge } from './hedge.ts';
import { legOpener } from './leg.ts';
import { withRetry } from './retry.ts';
import { withTimeout } from './timeout.ts';

/**
 * The way of a batch, read from the end: retries of attempts, which are hedged, whose legs have a
 * timeout and end with the call.
 *
 * @param call - What its requests share.
 * @param maxBytes - Most bytes that it may have.
 * @returns What sends a batch.
 */
export function compose(call: CallContext, maxBytes: number): Step<BatchRequest> {
  const open = withTimeout(legOpener(call, maxBytes), call);
  return withRetry(withHedge(open, call), call);
}
