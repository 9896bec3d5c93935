import { Worker } from 'node:worker_threads';
import { Caller } from './caller.ts';
import type { Methods } from './port.ts';

/** A thread has ended, so that its open calls will not be answered. */
export class ThreadEndedError extends Error {
  /** 0 if it ended by itself; 1 after an uncaught error or `terminate()`. */
  readonly exitCode: number;

  constructor(exitCode: number, cause?: unknown) {
    super(`The thread ended with exit code ${exitCode}`, cause === undefined ? {} : { cause });
    this.name = 'ThreadEndedError';
    this.exitCode = exitCode;
  }
}

/** A thread at work. */
export interface Thread<M extends Methods<M>> {
  readonly caller: Caller<M>;
  /** Resolves when the thread has ended, for whatever reason; never rejects. */
  readonly ended: Promise<ThreadEndedError>;
  /** Ends the thread as soon as it is in JavaScript again: native code is not interrupted. */
  readonly terminate: () => Promise<void>;
  /** Lets the process end while the thread runs. */
  readonly unref: () => void;
  /** Gives up a thread that hangs in native code: the process may end while it runs. */
  readonly abandon: () => void;
}

/**
 * Starts a thread that answers by `serve(parentPort, …)`. Calls may be made at once: they wait until
 * it listens. When it ends, by an uncaught error, an exit or `terminate()`, its open calls and all
 * later ones fail with a {@link ThreadEndedError}, whose cause is the uncaught error if there was one.
 * Its stdout and stderr are the process's own.
 *
 * @param url - The thread's module: JavaScript, since a thread starts without any loader.
 * @param workerData - What it reads as `workerData`; cloned.
 * @returns The running thread.
 */
export function startThread<M extends Methods<M>>(url: URL, workerData?: unknown): Thread<M> {
  const worker = new Worker(url, { workerData, execArgv: [] });
  const caller = new Caller<M>(worker);
  let uncaught: unknown;
  worker.on('error', (error) => {
    uncaught = error;
  });
  const ended = new Promise<ThreadEndedError>((resolve) => {
    worker.on('exit', (exitCode) => {
      const error = new ThreadEndedError(exitCode, uncaught);
      caller.fail(error);
      resolve(error);
    });
  });
  return {
    caller,
    ended,
    abandon: () => {
      worker.unref();
      caller.fail(new Error('The thread hangs'));
    },
    terminate: async () => {
      await worker.terminate();
    },
    unref: () => {
      worker.unref();
    },
  };
}
