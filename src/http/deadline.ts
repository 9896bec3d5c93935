import type { IncomingHttpHeaders } from 'node:http';
import { ServeError } from '../errors.ts';
import { replyError } from './error-reply.ts';
import type { Exchange } from './exchange.ts';

/** The present on two clocks, in ms. */
export interface Now {
  /** Of `performance.now()`, which the server works with. */
  readonly monotonicMs: number;
  /** Since 1970, which clients may speak of. */
  readonly epochMs: number;
}

/** Node takes longer times, in ms, for none. */
const MAX_TIMER_MS = 2_147_483_647;

const POSITIVE_INTEGER = /^0*[1-9]\d*$/;

/**
 * When the client stops to wait for its answer.
 *
 * `Request-Timeout-Ms`, from now on, counts before `Request-Deadline-Ms`, since 1970, which suffers from
 * clocks that differ. A value that is no positive integer is ignored.
 *
 * @param headers - Of a request that has just come.
 * @param now - When it came.
 * @returns ms on the clock of `performance.now()`; Infinity if the client named no time.
 */
export function deadlineOf(headers: IncomingHttpHeaders, { monotonicMs, epochMs }: Now): number {
  const timeoutMs = positiveInteger(headers['request-timeout-ms']);
  if (timeoutMs !== null) return monotonicMs + timeoutMs;
  const deadlineMs = positiveInteger(headers['request-deadline-ms']);
  return deadlineMs === null ? Infinity : monotonicMs + deadlineMs - epochMs;
}

/**
 * Holds an exchange to its deadline: if the answer hasn't begun by then, it's a 504 and the work for it
 * is aborted.
 *
 * @param exchange - Its headers are checked, and nothing is done for it yet.
 * @throws {@link ServeError} `deadline_exceeded` if the time is over already.
 */
export function keepDeadline(exchange: Exchange): void {
  const { headers } = exchange.request;
  const now = { monotonicMs: exchange.startedMs, epochMs: Date.now() - exchange.elapsedMs() };
  const deadlineMs = deadlineOf(headers, now);
  if (deadlineMs === Infinity) return;
  exchange.deadlineMs = deadlineMs;
  const leftMs = deadlineMs - performance.now();
  if (leftMs <= 0) throw exceeded();
  if (leftMs > MAX_TIMER_MS) return;
  const timer = setTimeout(() => {
    if (exchange.isAnswered) return;
    const error = exceeded();
    replyError(exchange, error);
    exchange.abort(error);
  }, leftMs);
  exchange.response.once('close', () => {
    clearTimeout(timer);
  });
}

function positiveInteger(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && POSITIVE_INTEGER.test(header) ? Number(header) : null;
}

function exceeded(): ServeError {
  return new ServeError(
    'deadline_exceeded',
    'Cannot answer in time: the time that the request named in Request-Timeout-Ms or Request-Deadline-Ms is over',
  );
}
