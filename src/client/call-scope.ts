import type { PerformanceClientError } from './errors.ts';

/**
 * The life of one call: ends once, and then tells all that is still open in it.
 *
 * Cheaper than an `AbortSignal` for each request, and its listeners can't outlive the call.
 */
export class CallScope {
  #error: PerformanceClientError | null = null;
  readonly #listeners = new Set<(error: PerformanceClientError) => void>();

  /**
   * @returns Why the call ended, or `null` while it goes on.
   */
  get error(): PerformanceClientError | null {
    return this.#error;
  }

  /**
   * @returns Number of parts of the call that are open.
   */
  get open(): number {
    return this.#listeners.size;
  }

  /**
   * Ends the call; only the first error counts.
   *
   * @param error - Why it failed.
   */
  end(error: PerformanceClientError): void {
    if (this.#error) return;
    this.#error = error;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(error);
  }

  /**
   * Calls `listener` when the call ends, unless {@link CallScope.forget} comes first.
   *
   * @param listener - Gets the error that ends the call.
   */
  onEnd(listener: (error: PerformanceClientError) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Takes a listener back.
   *
   * @param listener - Gets the error that ends the call.
   */
  forget(listener: (error: PerformanceClientError) => void): void {
    this.#listeners.delete(listener);
  }

  /**
   * Waits, on the timers of this moment.
   *
   * @param ms - How long, in milliseconds.
   * @returns Settles when the time is over or the call ends.
   * @throws {@link PerformanceClientError} the call's, as soon as the call ends.
   */
  sleep(ms: number): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.forget(stop);
        resolve();
      }, ms);
      this.onEnd(stop);
      function stop(error: PerformanceClientError): void {
        clearTimeout(timer);
        reject(error);
      }
    });
  }
}
