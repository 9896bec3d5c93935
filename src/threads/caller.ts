import type { Transferable } from 'node:worker_threads';
import { fromFault } from './fault.ts';
import type { Call, Methods, Port, Reply } from './port.ts';

interface OpenCall {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Calls methods of another thread by number: any number may be open, answered in any order. */
export class Caller<M extends Methods<M>> {
  readonly #port: Port;
  readonly #open = new Map<number, OpenCall>();
  #lastId = 0;
  #failure: Error | null = null;

  /**
   * Starts to listen for answers.
   *
   * @param port - Its other end answers by `serve()`.
   */
  constructor(port: Port) {
    this.#port = port;
    port.on('message', (message) => {
      this.#settle(message as Reply);
    });
    port.on('messageerror', (error) => {
      this.fail(new Error('An answer of a thread cannot be read', { cause: error }));
    });
  }

  /** @returns How many calls have no answer yet. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * Calls a method of the other thread.
   *
   * @param method - Its name.
   * @param args - Its argument; cloned.
   * @param transfer - Buffers of the argument that move instead of being cloned: they are empty here
   *   afterwards.
   * @returns The answer. Rejects with the `ServeError`, `StartError` or `Error` that the method threw,
   *   with the error of {@link fail}, or if the argument cannot be cloned.
   */
  call<Name extends keyof M & string>(
    method: Name,
    args: Parameters<M[Name]>[0],
    transfer?: readonly Transferable[],
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      const id = ++this.#lastId;
      const call: Call = { id, method, args };
      this.#port.postMessage(call, transfer); // If it throws, the promise rejects.
      this.#open.set(id, { resolve, reject });
    });
  }

  /**
   * Fails the open calls and all later ones; only the first failure counts.
   *
   * @param error - Why the thread does not answer any more.
   */
  fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(error);
  }

  #settle({ id, value, fault }: Reply): void {
    const call = this.#open.get(id);
    if (call === undefined) return; // It failed before its answer came.
    this.#open.delete(id);
    if (fault === undefined) call.resolve(value as never);
    else call.reject(fromFault(fault));
  }
}
