/** How much the newest measurement counts. */
const WEIGHT = 0.1;

/** Bounds of an advice to come again, in seconds. */
const LEAST_S = 1;
const MOST_S = 60;

/** How fast a model works off tokens, as a moving average over its batches. */
export class Pace {
  /** Tokens in a ms; null before two batches. */
  #rate: number | null = null;
  #lastMs: number | null = null;

  /**
   * Takes note of a batch that has ended.
   *
   * @param rows - Of the batch.
   * @param nowMs - On the clock of `performance.now()`.
   */
  note(rows: readonly { readonly tokens: number }[], nowMs: number): void {
    const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
    if (this.#lastMs !== null && nowMs > this.#lastMs) {
      const rate = tokens / (nowMs - this.#lastMs);
      this.#rate = this.#rate === null ? rate : this.#rate + WEIGHT * (rate - this.#rate);
    }
    this.#lastMs = nowMs;
  }

  /**
   * How long tokens will take at this pace.
   *
   * @param tokens - Those that wait.
   * @returns Whole seconds from 1 to 60.
   */
  secondsFor(tokens: number): number {
    if (this.#rate === null) return LEAST_S;
    return Math.min(MOST_S, Math.max(LEAST_S, Math.ceil(tokens / this.#rate / 1000)));
  }
}
