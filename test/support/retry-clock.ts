import { jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import type { Logger } from '../../src/client/index.ts';

/** A retry as the client tells its logger. */
export interface LoggedRetry {
  readonly batch: number;
  readonly retry: number;
  readonly waitMs: number;
  readonly error: string;
}

/**
 * Fakes timers, the clock and `Math.random` (always 0.5: 50 ms of jitter), and lets the waits of
 * retries pass as soon as the client begins them; sockets go on as ever.
 */
export class RetryClock {
  readonly retries: LoggedRetry[] = [];
  readonly #events = new EventEmitter();
  #exact = false;

  readonly logger: Logger = {
    debug: (message, fields) => {
      if (message !== 'retrying a request') return;
      const retry = fields as LoggedRetry;
      this.retries.push(retry);
      this.#events.emit('retry');
      // After the client has begun to wait, which it does in this turn.
      setImmediate(() => {
        this.#pass(retry.waitMs);
      });
    },
  };

  constructor() {
    process.env['PERFORMANCE_CLIENT_LOG_LEVEL'] = 'debug';
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
  }

  /** Waits of the retries, without their jitter. */
  get waitsMs(): number[] {
    return this.retries.map(({ waitMs }) => waitMs - 50);
  }

  /** For calls of one batch: fails if a wait ends a millisecond before it should. */
  checkExactly(): void {
    this.#exact = true;
  }

  /** Resolves at the next retry. */
  async nextRetry(): Promise<LoggedRetry> {
    await once(this.#events, 'retry');
    const retry = this.retries.at(-1);
    if (!retry) throw new Error('no retry was logged');
    return retry;
  }

  close(): void {
    jest.restoreAllMocks();
    jest.useRealTimers();
    delete process.env['PERFORMANCE_CLIENT_LOG_LEVEL'];
  }

  #pass(ms: number): void {
    const timers = jest.getTimerCount();
    jest.advanceTimersByTime(ms - 1);
    if (this.#exact) expect(jest.getTimerCount()).toBe(timers);
    jest.advanceTimersByTime(1);
  }
}
