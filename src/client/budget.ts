/** Units that a call may spend on extra requests; shared by its batches. */
export class Budget {
  #left: number;

  /**
   * Units for a call of `batches` batches at the share `pct` (0.05 is 5 %): at least 2.
   *
   * @param batches - Number of requests of the call.
   * @param pct - Share of the batches that may spend one: 0.05 is 5 %.
   */
  constructor(batches: number, pct: number) {
    this.#left = Math.max(2, 1 + Math.ceil(batches * pct));
  }

  /**
   * @returns Units left; never below 0.
   */
  get left(): number {
    return this.#left;
  }

  /**
   * Takes one unit; `false` if there is none.
   *
   * @returns Whether there was one.
   */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
