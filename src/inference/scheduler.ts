import { ServeError } from '../errors.ts';
import type { FittedRows } from '../limits/fit.ts';
import { nextBatch } from './batch-policy.ts';
import type { BatchBudget } from './batch-policy.ts';
import type { Engine, InferOptions, InferResult } from './engine.ts';
import { Job } from './job.ts';
import type { CpuPermits } from './permits.ts';
import type { BatchPool } from './pool.ts';
import { RowQueue } from './queue.ts';
import type { QueuedRow } from './queue.ts';
import type { SessionInfo } from './session.ts';
import type { BatchOutput, BatchWork, HeadSpec } from './work.ts';

/** What a scheduler works with. */
export interface SchedulerParts {
  readonly pool: BatchPool;
  readonly budget: BatchBudget;
  /** Shared by all engines. */
  readonly permits: CpuPermits;
  /** Threads of one worker: the permits of a batch. */
  readonly threadsPerBatch: number;
}

/** Smallest part of a batch worth a worker of its own, in tokens. */
const MIN_SPLIT_TOKENS = 64;

/** Requests up to which each gets an equal share; with more of them the older ones come first. */
const MOST_SHARES = 32;

/** Continuous batching: rows of all requests wait together, and a free worker gets a batch at once. */
export class Scheduler implements Engine {
  readonly info: SessionInfo;
  readonly #parts: SchedulerParts;
  readonly #queue = new RowQueue();
  readonly #pump: () => void;
  /** Tokens that a request which has always had rows in line has been served by now. */
  #turn = 0;
  #running = 0;
  #onIdle: (() => void) | null = null;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.info = parts.pool.info;
    this.#pump = () => {
      this.#startBatches();
    };
    parts.pool.onFree(this.#pump);
  }

  async infer(rows: FittedRows, { head, scope }: InferOptions): Promise<InferResult> {
    scope.signal.throwIfAborted();
    const job = new Job(rows.length, scope, performance.now());
    const giveUp = (): void => {
      this.#queue.drop(job);
      job.fail(scope.signal.reason as Error);
    };
    scope.signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.add(this.#inLine(rows, job, head));
    this.#startBatches();
    try {
      return await job.result;
    } finally {
      scope.signal.removeEventListener('abort', giveUp);
    }
  }

  async close(): Promise<void> {
    if (this.#running > 0 || this.#queue.rows.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#parts.pool.close();
  }

  // Each row's turn: that of now, plus the tokens before it in its own request.
  #inLine(rows: FittedRows, job: Job, head: HeadSpec): readonly QueuedRow[] {
    let turn = this.#turn;
    const { deadlineMs } = job.scope;
    return rows.map((sequence, index) => {
      const tokens = sequence.ids.length;
      const row = { tokens, turn, deadlineMs, key: head, head, sequence, job, index };
      turn += tokens;
      return { ...row, isRetry: false };
    });
  }

  #startBatches(): void {
    const { pool, permits, threadsPerBatch } = this.#parts;
    while (pool.free() > 0 && this.#queue.rows.length > 0) {
      if (!permits.take(threadsPerBatch, this.#pump)) return;
      void this.#runBatch(this.#takeBatch(pool.free()));
    }
  }

  #takeBatch(freeWorkers: number): readonly QueuedRow[] {
    const { maxPaddedTokens, maxRows } = this.#parts.budget;
    const share = Math.max(MIN_SPLIT_TOKENS, Math.ceil(this.#queue.tokens / freeWorkers));
    const indexes = nextBatch(this.#queue.rows, {
      maxPaddedTokens: Math.min(maxPaddedTokens, share),
      maxRows,
    });
    const { jobs } = this.#queue;
    const rows = this.#queue.take(indexes);
    this.#advance(rows, jobs);
    return rows;
  }

  // The requests in line share what a batch serves: so turns rise as long as anything runs, and a row
  // that waits comes before all that arrive later enough.
  #advance(rows: readonly QueuedRow[], jobs: number): void {
    const led = rows.reduce((lowest, { turn }) => Math.min(lowest, turn), Infinity);
    const served = rows.reduce((sum, { tokens }) => sum + tokens, 0);
    this.#turn = Math.max(this.#turn, led) + served / Math.min(jobs, MOST_SHARES);
  }

  async #runBatch(rows: readonly QueuedRow[]): Promise<void> {
    this.#running += 1;
    const nowMs = performance.now();
    for (const { job } of rows) job.started(nowMs);
    try {
      deliver(rows, await this.#parts.pool.run(workOf(rows)));
    } catch (error) {
      this.#tryAgain(rows, error);
    } finally {
      this.#running -= 1;
      this.#parts.permits.give(this.#parts.threadsPerBatch);
      this.#startBatches();
      if (this.#running === 0 && this.#queue.rows.length === 0) this.#onIdle?.();
    }
  }

  // The rows of a batch that failed run again once, each request by itself.
  #tryAgain(rows: readonly QueuedRow[], cause: unknown): void {
    const keys = new Map<Job, object>();
    for (const { job, isRetry } of rows) {
      if (isRetry) job.fail(new ServeError('inference_failed', 'Cannot run the model', { cause }));
      else keys.set(job, {});
    }
    const again = rows.filter(({ job }) => !job.settled);
    this.#queue.add(again.map((row) => ({ ...row, key: keys.get(row.job), isRetry: true })));
  }
}

function workOf(rows: readonly QueuedRow[]): BatchWork {
  const lengths = Int32Array.from(rows, ({ tokens }) => tokens);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const ids = new Int32Array(total);
  const typeIds = rows.some(({ sequence }) => sequence.typeIds) ? new Int32Array(total) : null;
  let at = 0;
  for (const { sequence } of rows) {
    ids.set(sequence.ids, at);
    if (sequence.typeIds) typeIds?.set(sequence.typeIds, at);
    at += sequence.ids.length;
  }
  const head = rows[0]?.head;
  if (!head) throw new RangeError('a batch has a row');
  return { ids, typeIds, lengths, head };
}

function deliver(rows: readonly QueuedRow[], { data, shapes, runMs }: BatchOutput): void {
  for (const job of new Set(rows.map((row) => row.job))) job.ran(runMs);
  let at = 0;
  rows.forEach(({ job, index }, row) => {
    const shape = shapes[row] ?? [];
    const size = shape.reduce((product, length) => product * length, 1);
    job.deliver(index, { shape, data: data.subarray(at, at + size) });
    at += size;
  });
}
