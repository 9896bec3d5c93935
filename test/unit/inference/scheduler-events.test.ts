import { OpenEngines } from '../../../src/inference/open-engines.ts';
import { CpuPermits } from '../../../src/inference/permits.ts';
import { Scheduler } from '../../../src/inference/scheduler.ts';
import type { FittedRows } from '../../../src/limits/fit.ts';
import { CHANNELS, type BatchEvent, type QueueEvent } from '../../../src/ops/channels.ts';
import { FakePool } from '../../support/fake-pool.ts';

const HEAD = {
  kind: 'pooled',
  output: 'last_hidden_state',
  pooling: 'mean',
  normalize: false,
} as const;

function rowsOf(...lengths: readonly number[]): FittedRows {
  const rows = lengths.map((tokens) => ({ ids: new Int32Array(tokens), typeIds: null }));
  return rows as unknown as FittedRows;
}

function scopeOf(id: string) {
  return { id, signal: new AbortController().signal, deadlineMs: Infinity };
}

function start(workers: number): { pool: FakePool; engine: Scheduler } {
  const pool = new FakePool(workers);
  const parts = {
    model: 'm',
    pool,
    budget: { maxPaddedTokens: 1024, maxRows: 256 },
    maxQueueTokens: 100_000,
    permits: new CpuPermits(workers),
    threadsPerBatch: 1,
  };
  return { pool, engine: new Scheduler(parts) };
}

test('a scheduler tells of each batch and of each wait, by the requests they are of', async () => {
  const batches: BatchEvent[] = [];
  const waits: QueueEvent[] = [];
  const ends = [
    CHANNELS.batch.subscribe((event) => batches.push(event)),
    CHANNELS.queue.subscribe((event) => waits.push(event)),
  ];
  const { pool, engine } = start(1);
  const scopes = ['one', 'two', 'three'].map(scopeOf);
  const rows = [rowsOf(8), rowsOf(4, 6), rowsOf(5)];
  const results = scopes.map((scope, at) =>
    engine.infer(rows[at] ?? rowsOf(), { head: HEAD, scope }),
  );
  await pool.finishAll();
  await Promise.all(results);
  for (const end of ends) end();
  // The second waited with the third while the first ran, and so shared a batch with it.
  expect(batches).toMatchObject([
    { model: 'm', rows: 1, tokens: 8, paddedTokens: 8, runMs: 1 },
    { model: 'm', rows: 3, tokens: 15, paddedTokens: 18, runMs: 1 },
  ]);
  const ids = batches.map(({ requests }) => requests.map(({ id }) => id).sort());
  expect(ids).toEqual([['one'], ['three', 'two']]);
  // Not only by their ids: the same objects.
  expect(new Set(waits.map(({ request }) => request))).toEqual(new Set(scopes));
  for (const { startMs, endMs } of [...batches, ...waits]) {
    expect(endMs).toBeGreaterThanOrEqual(startMs);
  }
});

test('engines say how busy they are until they are closed', async () => {
  const { pool, engine } = start(2);
  const engines = new OpenEngines();
  engines.add('m', engine);
  expect(engines.loads()).toEqual([{ model: 'm', queuedTokens: 0, workers: 2, busyWorkers: 0 }]);
  const scope = scopeOf('a');
  const results = [1, 2, 3].map((tokens) => engine.infer(rowsOf(tokens), { head: HEAD, scope }));
  expect(engines.loads()).toEqual([{ model: 'm', queuedTokens: 3, workers: 2, busyWorkers: 2 }]);
  await pool.finishAll();
  await Promise.all(results);
  await engine.close();
  expect(engines.loads()).toEqual([]);
});
