import type { Endpoint } from './endpoint.ts';
import { startRound, type HealthRound } from './health-check.ts';
import { unref } from './timers.ts';

const STRETCH = 1.5;
const MAX_STRETCH = 10;

/** Keeps track of an endpoint's health, without keeping the process or its pool alive. */
export class HealthMonitor {
  healthy = true;
  readonly #endpoint: Endpoint;
  #intervalMs: number;
  #timer: NodeJS.Timeout | null = null;
  #round: HealthRound | null = null;
  #stopped = false;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#intervalMs = endpoint.health.intervalMs;
    void runRound(new WeakRef(this));
  }

  /**
   * @returns Milliseconds between the end of a round and the next one.
   */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Ends the checks, a running one too. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#round?.stop();
  }

  /**
   * Starts a round; `null` after {@link HealthMonitor.stop}.
   *
   * @returns The round, or `null`.
   */
  begin(): HealthRound | null {
    if (this.#stopped) return null;
    const { health, clientWrapper } = this.#endpoint;
    this.#round = startRound(health, clientWrapper.transport);
    return this.#round;
  }

  /**
   * Takes the result of a round that took `tookMs`, and plans the next one.
   *
   * @param vote - What the round said.
   * @param tookMs - How long the round was.
   */
  finish(vote: 'healthy' | 'unhealthy' | 'no-vote', tookMs: number): void {
    this.#round = null;
    if (this.#stopped) return;
    if (vote !== 'no-vote') this.healthy = vote === 'healthy';
    const baseMs = this.#endpoint.health.intervalMs;
    const slow = tookMs > this.#intervalMs / 2;
    this.#intervalMs = slow ? Math.min(this.#intervalMs * STRETCH, baseMs * MAX_STRETCH) : baseMs;
    const self = new WeakRef(this);
    this.#timer = setTimeout(() => {
      void runRound(self);
    }, this.#intervalMs);
    unref(this.#timer);
  }
}

// Holds the monitor only while a round begins or ends: a pool that is forgotten can be collected.
async function runRound(self: WeakRef<HealthMonitor>): Promise<void> {
  const startMs = performance.now();
  const round = self.deref()?.begin();
  if (!round) return;
  const vote = await round.vote;
  self.deref()?.finish(vote, performance.now() - startMs);
}
