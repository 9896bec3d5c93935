import type { CallScope } from './call-scope.ts';
import type { PerformanceClientError } from './errors.ts';

/** Retries that one endpoint may have on the wire at once. */
export const RETRY_PERMITS = 64;

interface Waiter {
  readonly admit: () => void;
}

/** A first-come gate for retries of one endpoint, so that an overloaded server isn't stormed. */
export class RetryGate {
  #free = RETRY_PERMITS;
  readonly #waiting = new Set<Waiter>();

  /**
   * @returns Retries that wait for a permit.
   */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a permit; give it back with {@link RetryGate.release}.
   *
   * @param scope - Life of the call that waits.
   * @returns Settles when there is a permit or the call ends.
   * @throws {@link PerformanceClientError} the call's, as soon as the call ends.
   */
  acquire(scope: CallScope): Promise<void> {
    if (scope.error) return Promise.reject(scope.error);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const stop = (error: PerformanceClientError): void => {
        this.#waiting.delete(waiter);
        reject(error);
      };
      const waiter = {
        admit: (): void => {
          scope.forget(stop);
          resolve();
        },
      };
      scope.onEnd(stop);
      this.#waiting.add(waiter);
    });
  }

  /** Gives a permit back, to the one who has waited longest. */
  release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }
}
