import { ServeError, StartError } from '../errors.ts';
import type { ErrorCode, StartFault } from '../errors.ts';

/** An error as it crosses threads: classes don't, so it is told apart by `kind` and made anew. */
export type Fault =
  | {
      readonly kind: 'serve';
      readonly code: ErrorCode;
      readonly message: string;
      readonly param: string | null;
      readonly stack: string;
    }
  | {
      readonly kind: 'start';
      readonly fault: StartFault;
      readonly message: string;
      readonly stack: string;
    }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string };

// Not by `instanceof Error`: what was thrown may come from another realm.
function textOf(thrown: unknown): { readonly message: string; readonly stack: string } {
  if (typeof thrown !== 'object' || thrown === null) {
    return { message: String(thrown), stack: '' };
  }
  const { message, stack } = thrown as { readonly message?: unknown; readonly stack?: unknown };
  return {
    message: typeof message === 'string' ? message : 'an object that is no error was thrown',
    stack: typeof stack === 'string' ? stack : '',
  };
}

/**
 * Makes plain data of an error, to be posted to another thread. Its cause is in the stack only.
 *
 * @param thrown - Whatever was thrown.
 * @returns Data that every thread can clone.
 */
export function toFault(thrown: unknown): Fault {
  const { message, stack } = textOf(thrown);
  if (thrown instanceof ServeError) {
    const cause = thrown.cause === undefined ? '' : `\ncause: ${textOf(thrown.cause).stack}`;
    return { kind: 'serve', code: thrown.code, message, param: thrown.param, stack: stack + cause };
  }
  if (thrown instanceof StartError) {
    return { kind: 'start', fault: thrown.fault, message, stack };
  }
  return { kind: 'other', message, stack };
}

/**
 * The error that another thread meant.
 *
 * @param fault - As made by {@link toFault}.
 * @returns A `ServeError`, a `StartError` or an `Error`, with the stack of the other thread.
 */
export function fromFault(fault: Fault): Error {
  const error = errorOf(fault);
  if (fault.stack !== '') error.stack = fault.stack;
  return error;
}

function errorOf(fault: Fault): Error {
  switch (fault.kind) {
    case 'serve':
      return new ServeError(
        fault.code,
        fault.message,
        fault.param === null ? {} : { param: fault.param },
      );
    case 'start':
      return new StartError(fault.fault, fault.message);
    case 'other':
      return new Error(fault.message);
  }
}
