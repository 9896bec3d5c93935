import { ServeError } from '../errors.ts';
import type { FittedRows } from '../limits/fit.ts';
import { CHANNELS } from '../ops/channels.ts';
import { nextBatch } from './batch-policy.ts';
import type { BatchBudget } from './batch-policy.ts';
import type { Engine, EngineLoad, InferOptions, InferResult } from './engine.ts';
import { Job } from './job.ts';
import { Pace } from './pace.ts';
import type { CpuPermits } from './permits.ts';
import type { BatchPool } from './pool.ts';
import { RowQueue } from './queue.ts';
import type { QueuedRow } from './queue.ts';
import type { SessionInfo } from './session.ts';
import type { BatchOutput, BatchWork, HeadSpec } from './work.ts';

/** What a scheduler works with. */
export interface SchedulerParts {
  /** The name that clients send as `model`, for events. */
  readonly model: string;
  readonly pool: BatchPool;
  readonly budget: BatchBudget;
  /** Tokens that may wait, without padding; an empty queue takes any request. */
  readonly maxQueueTokens: number;
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
  readonly #pace = new Pace();
  #onIdle: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.info = parts.pool.info;
    this.#pump = () => {
      this.#startBatches();
    };
    parts.pool.onFree(this.#pump);
  }

  requireRoom(): void {
    if (this.#queue.tokens >= this.#parts.maxQueueTokens) throw this.#overloaded();
  }

  async infer(rows: FittedRows, { head, scope }: InferOptions): Promise<InferResult> {
    scope.signal.throwIfAborted();
    const waiting = this.#queue.tokens;
    const added = rows.reduce((sum, { ids }) => sum + ids.length, 0);
    if (waiting > 0 && waiting + added > this.#parts.maxQueueTokens) throw this.#overloaded(added);
    const job = new Job(rows.length, scope, performance.now());
    const giveUp = (): void => {
      this.#queue.drop(job);
      job.fail(scope.signal.reason as Error);
    };
    scope.signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.add(this.#inLine(rows, job, head));
    this.#startBatches();
    try {
      const result = await job.result;
      if (CHANNELS.queue.hasSubscribers) this.#tellQueue(job, result);
      return result;
    } finally {
      scope.signal.removeEventListener('abort', giveUp);
    }
  }

  load(): EngineLoad | null {
    if (this.#isClosed) return null;
    const { pool } = this.#parts;
    const workers = pool.size();
    return {
      queuedTokens: this.#queue.tokens,
      workers,
      busyWorkers: workers - pool.free(),
    };
  }

  async close(): Promise<void> {
    if (this.#running > 0 || this.#queue.rows.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#parts.pool.close();
    this.#isClosed = true;
  }

  #overloaded(added = 0): ServeError {
    const { tokens } = this.#queue;
    const request = added > 0 ? ` and this request adds ${added}` : '';
    return new ServeError(
      'overloaded',
      `Cannot take the request now: ${tokens} tokens are waiting${request}, and the limit is queue_tokens, ${this.#parts.maxQueueTokens}; try again later, send smaller requests, or raise --queue_tokens`,
      { retryAfterS: this.#pace.secondsFor(tokens) },
    );
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
      const output = await this.#parts.pool.run(workOf(rows));
      const endedMs = performance.now();
      if (CHANNELS.batch.hasSubscribers) this.#tellBatch(rows, nowMs, output.runMs);
      deliver(rows, output, endedMs);
      this.#pace.note(rows, endedMs);
    } catch (error) {
      this.#tryAgain(rows, error);
    } finally {
      this.#running -= 1;
      this.#parts.permits.give(this.#parts.threadsPerBatch);
      this.#startBatches();
      if (this.#running === 0 && this.#queue.rows.length === 0) this.#onIdle?.();
    }
  }

  #tellQueue({ scope, arrivedMs: startMs }: Job, { queueMs }: InferResult): void {
    const { model } = this.#parts;
    CHANNELS.queue.publish({ request: scope, model, startMs, endMs: startMs + queueMs });
  }

  #tellBatch(rows: readonly QueuedRow[], startMs: number, runMs: number): void {
    const longest = rows.reduce((most, { tokens }) => Math.max(most, tokens), 0);
    CHANNELS.batch.publish({
      model: this.#parts.model,
      requests: Array.from(new Set(rows.map(({ job }) => job)), ({ scope }) => scope),
      rows: rows.length,
      tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
      paddedTokens: rows.length * longest,
      startMs,
      endMs: performance.now(),
      runMs,
    });
  }

  // The rows of a batch that failed run again once, each request by itself.
  #tryAgain(rows: readonly QueuedRow[], cause: unknown): void {
    const keys = new Map<Job, object>();
    for (const { job, isRetry } of rows) {
      if (isRetry) this.#fail(job, cause);
      else keys.set(job, {});
    }
    for (const [job, key] of keys) {
      const again = rows.filter((row) => row.job === job && !job.settled);
      this.#queue.add(again.map((row) => ({ ...row, key, isRetry: true })));
    }
  }

  #fail(job: Job, cause: unknown): void {
    this.#queue.drop(job);
    job.fail(new ServeError('inference_failed', 'Cannot run the model', { cause }));
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
  const crash = rows.some(({ sequence }) => sequence.crash);
  return { ids, typeIds, lengths, head, crash };
}

function deliver(rows: readonly QueuedRow[], output: BatchOutput, nowMs: number): void {
  const { data, shapes } = output;
  let at = 0;
  rows.forEach(({ job, index }, row) => {
    const shape = shapes[row] ?? [];
    const size = shape.reduce((product, length) => product * length, 1);
    job.deliver(index, { shape, data: data.subarray(at, at + size) }, nowMs);
    at += size;
  });
}
