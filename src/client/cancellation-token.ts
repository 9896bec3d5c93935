/** Cancels calls that were given it. The client never sets it by itself. */
export class CancellationToken {
  readonly #controller = new AbortController();

  /** Cancels every call that has this token, and those that will be started with it. */
  cancel(): void {
    this.#controller.abort();
  }

  /**
   * @returns Whether {@link CancellationToken.cancel} was called.
   */
  get isCancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  /**
   * @returns The token as a signal, to pass on to other APIs.
   */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
