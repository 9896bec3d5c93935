import type { Batch } from './batching.ts';
import type { BatchRequest, CallContext, Reply, Step } from './call-context.ts';
import { outOfTime } from './call-signals.ts';
import { PerformanceClientError, textOf } from './errors.ts';
import type { BatchError } from './responses.ts';

/** How batches become requests, and answers become values. */
export interface BatchCodec<Part> {
  readonly batches: readonly Batch[];
  /** Body of a batch's request; asked for when the batch gets its slot. */
  readonly bodyOf: (batch: Batch) => string | null;
  /** Reads an answer. */
  readonly read: (reply: Reply, batch: Batch) => Part;
}

/** What became of one batch. */
export interface BatchResult<Part> {
  /** `null` if the batch failed. */
  readonly part: Part | null;
  readonly headers: Record<string, string>;
  readonly seconds: number;
}

/** What became of all batches. */
export interface BatchResults<Part> {
  /** One for each batch, in order. */
  readonly results: readonly BatchResult<Part>[];
  readonly errors: readonly BatchError[];
}

const ENCODER = new TextEncoder();

/**
 * Sends batches, in order, so many at once as there are slots.
 *
 * @param codec - How batches become requests, and answers values.
 * @param call - What its requests share.
 * @param send - What carries a batch through its retries.
 * @returns What became of each.
 * @throws {@link PerformanceClientError} the first that ends the call; with `failFast: false`
 * only
 * if the call was cancelled or every batch failed.
 */
export async function runBatches<Part>(
  codec: BatchCodec<Part>,
  call: CallContext,
  send: Step<BatchRequest>,
): Promise<BatchResults<Part>> {
  const { batches } = codec;
  const results: BatchResult<Part>[] = [];
  const errors: BatchError[] = [];
  let next = 0;
  async function slot(): Promise<void> {
    while (!call.scope.error) {
      const batch = batches[next];
      if (!batch) return;
      next += 1;
      await runOne(batch);
    }
  }
  async function runOne(batch: Batch): Promise<void> {
    const startMs = performance.now();
    try {
      const reply = await send(requestOf(batch, codec));
      const seconds = (performance.now() - startMs) / 1000;
      const part = codec.read(reply, batch);
      results[batch.index] = { part, headers: reply.headers, seconds };
    } catch (thrown) {
      const seconds = (performance.now() - startMs) / 1000;
      fail(batch, errorOf(thrown, batch, call), seconds);
    }
  }
  function fail(batch: Batch, error: PerformanceClientError, seconds: number): void {
    results[batch.index] = { part: null, headers: {}, seconds };
    errors.push({ batchIndex: batch.index, start: batch.start, end: batch.end, error });
    if (call.settings.failFast) call.scope.end(error);
  }
  const slots = Math.min(call.settings.maxConcurrentRequests, batches.length);
  await Promise.all(Array.from({ length: slots }, slot));
  const ended = call.scope.error;
  if (ended && (call.settings.failFast || ended.kind === 'cancelled')) throw ended;
  for (const batch of batches.slice(next)) fail(batch, errorOf(ended, batch, call), 0);
  errors.sort((one, other) => one.batchIndex - other.batchIndex);
  if (errors.length === batches.length) throw allFailed(errors);
  return { results, errors };
}

function requestOf<Part>(batch: Batch, { bodyOf }: BatchCodec<Part>): BatchRequest {
  const text = bodyOf(batch);
  return {
    index: batch.index,
    body: text === null ? null : ENCODER.encode(text),
    tried: new Set(),
  };
}

// The error of a batch; each that the end of the call cut off gets one of its own.
function errorOf(thrown: unknown, batch: Batch, call: CallContext): PerformanceClientError {
  const { failFast, totalTimeoutS } = call.settings;
  const cutOff = thrown === call.scope.error && !failFast && totalTimeoutS !== null;
  const error = cutOff
    ? outOfTime(totalTimeoutS)
    : thrown instanceof PerformanceClientError
      ? thrown
      : new PerformanceClientError('serialization', textOf(thrown), { cause: thrown });
  if (error !== call.scope.error) {
    error.batchIndex ??= batch.index;
    error.customerRequestId ??= `${call.idBase}-${batch.index}-0`;
  }
  return error;
}

function allFailed(errors: readonly BatchError[]): PerformanceClientError {
  const all = errors.map(({ error }) => error);
  const [first] = all;
  if (!first) throw new Error('no batch failed');
  first.cause = new AggregateError(all, `${all.length} batches failed`);
  return first;
}
