import type { Attempt, CallContext, Reply, Step } from './call-context.ts';
import type { Leg, OpenLeg } from './leg.ts';

/** Retries after which an attempt isn't hedged any more. */
const MAX_HEDGED_RETRY = 1;

/**
 * Sends an attempt a second time if no head has come within the hedge delay. The first head or
 * error of either leg wins, whatever it is; the other leg is closed at once.
 *
 * @param open - What sends a single request.
 * @param call - What its requests share.
 * @returns What makes an attempt, with a second leg if need be.
 */
export function withHedge(open: OpenLeg, call: CallContext): Step<Attempt> {
  const { hedgeDelayS, hedgeBudgetPct } = call.settings;
  if (hedgeDelayS === null || hedgeBudgetPct === 0) return (attempt) => open(attempt).reply;
  const hedges = new WeakMap<object, number>();
  return (attempt) => {
    if (attempt.retry > MAX_HEDGED_RETRY || call.hedgeBudget.left === 0) return open(attempt).reply;
    return race(attempt, { open, delayMs: hedgeDelayS * 1000, hedge: () => hedgeOf(attempt) });
  };

  // The hedge of an attempt, if the budget has a unit for it.
  function hedgeOf(attempt: Attempt): Attempt | null {
    if (!call.hedgeBudget.take()) return null;
    const { request } = attempt;
    const hedge = (hedges.get(request) ?? 0) + 1;
    hedges.set(request, hedge);
    call.logger.debug?.('hedging a request', { batch: request.index, hedge });
    return { ...attempt, hedge, member: call.members.pick(request.tried) };
  }
}

interface Race {
  readonly open: OpenLeg;
  readonly delayMs: number;
  readonly hedge: () => Attempt | null;
}

function race(attempt: Attempt, { open, delayMs, hedge }: Race): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const first = open(attempt);
    const timer = setTimeout(() => {
      const extra = hedge();
      if (!extra) return;
      const second = open(extra);
      first.whenSigned(() => {
        win(first, second);
      });
      second.whenSigned(() => {
        win(second, first);
      });
    }, delayMs);
    first.whenSigned(() => {
      win(first, null);
    });
    function win(leg: Leg, loser: Leg | null): void {
      clearTimeout(timer);
      loser?.abort();
      leg.reply.then(resolve, reject);
    }
  });
}
