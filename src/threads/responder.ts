import type { Transferable } from 'node:worker_threads';
import { toFault } from './fault.ts';
import type { Call, Methods, Port, Reply } from './port.ts';

/** A result of a method, with the buffers in it that move instead of being cloned. */
export interface Answer<Value> {
  readonly value: Value;
  readonly transfer?: readonly Transferable[];
}

/** For each method a function that answers it, at once or later. */
export type Handlers<M extends Methods<M>> = {
  readonly [Name in keyof M]: (
    args: Parameters<M[Name]>[0],
  ) => Answer<Awaited<ReturnType<M[Name]>>> | Promise<Answer<Awaited<ReturnType<M[Name]>>>>;
};

type Handler = (args: unknown) => Answer<unknown> | Promise<Answer<unknown>>;

/**
 * Answers the calls that come over a port. A handler that answers at once costs no promise; one that
 * throws answers with its error. Calls are not queued: several are open while handlers wait.
 *
 * @param port - Its other end calls by `Caller`.
 * @param handlers - The methods.
 */
export function serve<M extends Methods<M>>(port: Port, handlers: Handlers<M>): void {
  const table = new Map<string, Handler>(Object.entries(handlers));

  function answer(id: number, { value, transfer }: Answer<unknown>): void {
    const reply: Reply = { id, value };
    port.postMessage(reply, transfer);
  }

  function refuse(id: number, thrown: unknown): void {
    const reply: Reply = { id, fault: toFault(thrown) };
    port.postMessage(reply);
  }

  async function answerLater(id: number, result: Promise<Answer<unknown>>): Promise<void> {
    try {
      answer(id, await result);
    } catch (error) {
      refuse(id, error); // Also where the result cannot be cloned.
    }
  }

  port.on('message', (message) => {
    const { id, method, args } = message as Call;
    try {
      const handler = table.get(method);
      if (handler === undefined) throw new Error(`This thread has no method "${method}"`);
      const result = handler(args);
      if ('then' in result) void answerLater(id, result);
      else answer(id, result);
    } catch (error) {
      refuse(id, error);
    }
  });
}
