import { startThread } from '../threads/start-thread.ts';
import type { Thread } from '../threads/start-thread.ts';
import type { SessionInfo } from './session.ts';
import type { InferenceMethods, OpenArgs } from './worker.ts';
import type { BatchOutput, BatchWork } from './work.ts';

/** What runs batches, several at a time; the seam below the scheduler. */
export interface BatchPool {
  readonly info: SessionInfo;
  /** Workers that could take a batch now. */
  readonly free: () => number;
  /**
   * Runs a batch on a free worker. Rejects with what the worker threw, or with a `ThreadEndedError`
   * if it died; a dead worker is replaced.
   */
  readonly run: (work: BatchWork) => Promise<BatchOutput>;
  /** Sets what is called when a worker is free again. */
  readonly onFree: (listener: () => void) => void;
  /** To be called when no batch is open. */
  readonly close: () => Promise<void>;
}

/** How a pool is opened. */
export interface PoolOptions {
  /** The file of the inference thread. */
  readonly workerUrl: URL;
  readonly numStreams: number;
  readonly session: OpenArgs;
}

type InferenceThread = Thread<InferenceMethods>;

/** Starts of a thread in a row that may fail before it is given up. */
const MAX_FAILED_STARTS = 3;

class ThreadPool implements BatchPool {
  readonly info: SessionInfo;
  readonly #options: PoolOptions;
  readonly #free: InferenceThread[] = [];
  readonly #all = new Set<InferenceThread>();
  #onFree: () => void = () => undefined;
  #closing = false;

  constructor(options: PoolOptions, threads: readonly InferenceThread[], info: SessionInfo) {
    this.#options = options;
    this.info = info;
    for (const thread of threads) this.#add(thread);
  }

  free(): number {
    return this.#free.length;
  }

  onFree(listener: () => void): void {
    this.#onFree = listener;
  }

  async run(work: BatchWork): Promise<BatchOutput> {
    const thread = this.#free.pop();
    if (!thread) throw new Error('no worker is free');
    try {
      return await thread.caller.call('run', work, buffersOf(work));
    } finally {
      // A dead thread has left #all before its calls fail, or leaves it in a moment.
      queueMicrotask(() => {
        if (this.#all.has(thread)) this.#release(thread);
      });
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(Array.from(this.#all, closeThread));
  }

  #release(thread: InferenceThread): void {
    this.#free.push(thread);
    this.#onFree();
  }

  #add(thread: InferenceThread): void {
    this.#all.add(thread);
    this.#free.push(thread);
    void this.#watch(thread);
  }

  async #watch(thread: InferenceThread): Promise<void> {
    await thread.ended;
    this.#all.delete(thread);
    const at = this.#free.indexOf(thread);
    if (at >= 0) this.#free.splice(at, 1);
    for (let failed = 0; !this.#closing && failed < MAX_FAILED_STARTS; failed += 1) {
      const next = startThread<InferenceMethods>(this.#options.workerUrl);
      try {
        await next.caller.call('open', this.#options.session);
      } catch {
        await next.terminate();
        continue;
      }
      this.#add(next);
      this.#onFree();
      return;
    }
  }
}

function buffersOf({ ids, typeIds, lengths }: BatchWork): ArrayBuffer[] {
  const arrays = typeIds ? [ids, typeIds, lengths] : [ids, lengths];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

// The session is closed in its thread first: ending a thread under a session can abort the process.
async function closeThread(thread: InferenceThread): Promise<void> {
  await thread.caller.call('close', null).catch(() => null);
  await thread.terminate();
}

/**
 * Starts inference threads, each with a session of its own.
 *
 * @param options - The model, and how many threads.
 * @returns The pool, when all sessions are open.
 * @throws `StartError` `config`: the file cannot be loaded or served.
 */
export async function openPool(options: PoolOptions): Promise<BatchPool> {
  const threads = Array.from({ length: options.numStreams }, () =>
    startThread<InferenceMethods>(options.workerUrl),
  );
  // All of them have opened or failed before one is ended: see closeThread().
  const opened = await Promise.allSettled(
    threads.map(({ caller }) => caller.call('open', options.session)),
  );
  const failed = opened.find((result) => result.status === 'rejected');
  const first = opened.find((result) => result.status === 'fulfilled');
  if (first && !failed) return new ThreadPool(options, threads, first.value);
  await Promise.all(threads.map(closeThread));
  throw failed?.reason ?? new RangeError('a pool needs a thread');
}
