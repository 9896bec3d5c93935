import type { Transferable } from 'node:worker_threads';
import type { Fault } from './fault.ts';

/** What a `Worker`, a `MessagePort` and a thread's `parentPort` have in common. */
export interface Port {
  readonly postMessage: (value: unknown, transfer?: readonly Transferable[]) => void;
  readonly on: (event: 'message' | 'messageerror', listener: (message: unknown) => void) => unknown;
}

/**
 * The methods that a thread answers: an interface whose members take one argument, as in
 * `interface Methods { run: (work: BatchWork) => BatchOutput }`. Argument and result are cloned,
 * but for what is transferred.
 */
export type Methods<M> = { readonly [Name in keyof M]: (args: never) => unknown };

/** A call on its way to a thread. */
export interface Call {
  /** Counted up by the caller. */
  readonly id: number;
  readonly method: string;
  readonly args: unknown;
}

/** The answer to a call: a value, or a fault. */
export interface Reply {
  /** Of the call. */
  readonly id: number;
  readonly value?: unknown;
  readonly fault?: Fault;
}
