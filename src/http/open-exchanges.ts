import type { Exchange } from './exchange.ts';

/** The requests that are being answered. */
export class OpenExchanges {
  readonly #exchanges = new Set<Exchange>();
  #waiters: (() => void)[] = [];

  /**
   * How many there are.
   *
   * @returns Requests whose answer isn't done.
   */
  get size(): number {
    return this.#exchanges.size;
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  delete(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  /**
   * Waits for the open requests.
   *
   * @returns Resolves as soon as none is open.
   */
  idle(): Promise<void> {
    if (this.#exchanges.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#exchanges.values();
  }
}
