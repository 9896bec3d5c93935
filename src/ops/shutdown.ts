import { setTimeout as sleep } from 'node:timers/promises';

/** Where a server is in its life: a draining one still serves, a closing one only ends what it has begun. */
export type Phase = 'serving' | 'draining' | 'closing';

/** Resolves after a time, or rejects when the signal aborts before. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** What a server does at each step, and how long a step may take. */
export interface ShutdownSteps {
  /** ms from the start during which everything is still served. */
  readonly drainDelayMs: number;
  /** ms after that for requests in flight. */
  readonly graceMs: number;
  /** Called once the drain delay is over: no new connections, no new requests. */
  readonly stopAccepting: () => void;
  /** Resolves when no request is in flight; called after `stopAccepting`. */
  readonly idle: () => Promise<void>;
  /** Called when the grace is over and requests are left: answers and ends them. */
  readonly cutRemaining: () => Promise<void> | void;
}

/**
 * The phases of an orderly end.
 *
 * ```
 * serving --begin()--> draining --drainDelayMs--> closing --idle, or graceMs--> over
 * ```
 */
export class Shutdown {
  readonly #wait: Wait;
  #phase: Phase = 'serving';
  #ended: Promise<boolean> | null = null;

  constructor(wait: Wait = timer) {
    this.#wait = wait;
  }

  /**
   * Where the server is now.
   *
   * @returns The phase; it stays `closing` when all is over.
   */
  phase(): Phase {
    return this.#phase;
  }

  /**
   * Starts the end; later calls join the first and their steps are not used.
   *
   * @param steps - What to do, and how long to wait for it.
   * @returns When all is over: true if no request was cut.
   */
  begin(steps: ShutdownSteps): Promise<boolean> {
    this.#ended ??= this.#run(steps);
    return this.#ended;
  }

  async #run(steps: ShutdownSteps): Promise<boolean> {
    const over = new AbortController();
    this.#phase = 'draining';
    if (steps.drainDelayMs > 0) await this.#wait(steps.drainDelayMs, over.signal);
    this.#phase = 'closing';
    steps.stopAccepting();
    const graceOver = this.#wait(steps.graceMs, over.signal).then(
      () => false,
      () => false,
    );
    const whole = await Promise.race([steps.idle().then(() => true), graceOver]);
    over.abort();
    if (!whole) await steps.cutRemaining();
    return whole;
  }
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
