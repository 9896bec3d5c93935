import { requestId, type CallContext } from './call-context.ts';
import { PerformanceClientError } from './errors.ts';
import type { Leg, OpenLeg } from './leg.ts';

/**
 * Gives every leg its time, from sending to the last byte of the body. Before there is a
 * connection a leg that is out of time fails as one that can't connect.
 *
 * @param open - What sends a single request.
 * @param call - What its requests share.
 * @returns What opens legs that end in time.
 */
export function withTimeout(open: OpenLeg, call: CallContext): OpenLeg {
  const { timeoutS } = call.settings;
  return (attempt) => {
    const leg = open(attempt);
    const timer = setTimeout(() => {
      leg.fail(outOfTime(leg, timeoutS, requestId(call, attempt.request.index)));
    }, timeoutS * 1000);
    leg.whenSettled(() => {
      clearTimeout(timer);
    });
    return leg;
  };
}

function outOfTime(leg: Leg, timeoutS: number, id: string): PerformanceClientError {
  const after = `${timeoutS.toFixed(2)}s`;
  if (leg.connected) {
    const message = `Remote timeout: no complete answer after ${after}`;
    return new PerformanceClientError('remote_timeout', message);
  }
  return new PerformanceClientError(
    'connect',
    `Request ID: ${id}\n  Error: error sending request (Connect): no connection after ${after}` +
      '\n  Type: Connection error',
  );
}
