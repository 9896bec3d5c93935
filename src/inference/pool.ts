import { CHANNELS } from '../ops/channels.ts';
import { startThread } from '../threads/start-thread.ts';
import type { Thread } from '../threads/start-thread.ts';
import type { SessionInfo } from './session.ts';
import type { InferenceMethods, OpenArgs } from './worker.ts';
import type { BatchOutput, BatchWork } from './work.ts';

/** What runs batches, several at a time; the seam below the scheduler. */
export interface BatchPool {
  readonly info: SessionInfo;
  /** Workers that are open. */
  readonly size: () => number;
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
  /** The name that clients send as `model`, for events. */
  readonly model: string;
  readonly numStreams: number;
  readonly session: OpenArgs;
  /** Told once when the pool cannot go on, and why. */
  readonly onFailure: (reason: string) => void;
  /** ms that a run may take before its thread is taken to hang; by default {@link hangLimitMs}. */
  readonly hangLimitMs?: (work: BatchWork) => number;
}

type InferenceThread = Thread<InferenceMethods>;

/** Starts of a thread in a row that may fail before the pool is given up. */
const MAX_FAILED_STARTS = 3;

/** A run may take this long however small it is, in ms. */
const HANG_BASE_MS = 60_000;

/** And this much for each token with padding: a hundred times what a small model takes, in ms. */
const HANG_TOKEN_MS = 20;

/**
 * How long a run may take before its thread is taken to hang in native code.
 *
 * @param work - A batch.
 * @returns ms: a minute, and 20 ms for each token with padding.
 */
export function hangLimitMs({ lengths }: BatchWork): number {
  return HANG_BASE_MS + HANG_TOKEN_MS * lengths.length * Math.max(...lengths);
}

class ThreadPool implements BatchPool {
  readonly info: SessionInfo;
  readonly #options: PoolOptions;
  readonly #free: InferenceThread[] = [];
  readonly #all = new Set<InferenceThread>();
  /** The threads that are being opened in place of dead ones. */
  readonly #replacing = new Set<Promise<void>>();
  #onFree: () => void = () => undefined;
  #isOver = false;

  constructor(options: PoolOptions, threads: readonly InferenceThread[], info: SessionInfo) {
    this.#options = options;
    this.info = info;
    for (const thread of threads) this.#add(thread);
  }

  size(): number {
    return this.#all.size;
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
    const { hangLimitMs: limitMs = hangLimitMs } = this.#options;
    const hanging = setTimeout(() => {
      this.#all.delete(thread);
      thread.abandon();
      this.#fail('a run of the model hangs');
    }, limitMs(work));
    try {
      return await thread.caller.call('run', work, buffersOf(work));
    } finally {
      clearTimeout(hanging);
      // A dead thread has left #all before its calls fail, or leaves it in a moment.
      queueMicrotask(() => {
        if (this.#all.has(thread)) this.#release(thread);
      });
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#replacing);
    await Promise.all(Array.from(this.#all, closeThread));
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onFailure(reason);
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
    if (!this.#isOver) CHANNELS.restart.publish({ model: this.#options.model });
    const replacing = this.#replace();
    this.#replacing.add(replacing);
    await replacing;
    this.#replacing.delete(replacing);
  }

  async #replace(): Promise<void> {
    for (let failed = 0; !this.#isOver; failed += 1) {
      if (failed === MAX_FAILED_STARTS) {
        this.#fail('its workers died and could not be replaced');
        return;
      }
      const next = await startOpened(this.#options);
      if (next === null) continue;
      this.#add(next);
      this.#onFree();
      return;
    }
  }
}

async function startOpened({ workerUrl, session }: PoolOptions): Promise<InferenceThread | null> {
  const thread = startThread<InferenceMethods>(workerUrl);
  try {
    await thread.caller.call('open', session);
    return thread;
  } catch {
    await thread.terminate();
    return null;
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
