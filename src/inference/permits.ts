/** CPUs to share: engines take permits for the threads of a batch, so that two models do not double them. */
export class CpuPermits {
  #free: number;
  readonly #total: number;
  readonly #waiting = new Set<() => void>();

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /**
   * Takes permits, all or none. A batch that wants more than there are takes all of them.
   *
   * @param count - Threads of the batch.
   * @param retry - Called once, later, if there are too few now.
   * @returns Whether they were taken.
   */
  take(count: number, retry: () => void): boolean {
    const wanted = Math.min(count, this.#total);
    if (wanted > this.#free) {
      this.#waiting.add(retry);
      return false;
    }
    this.#free -= wanted;
    return true;
  }

  /**
   * Gives permits back.
   *
   * @param count - As taken.
   */
  give(count: number): void {
    this.#free += Math.min(count, this.#total);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const retry of waiting) retry();
  }
}
