import { ServeError } from '../../../src/errors.ts';
import { CpuPermits } from '../../../src/inference/permits.ts';
import { Scheduler } from '../../../src/inference/scheduler.ts';
import type { FittedRows } from '../../../src/limits/fit.ts';
import { FakePool } from '../../support/fake-pool.ts';

const HEAD = {
  kind: 'pooled',
  output: 'last_hidden_state',
  pooling: 'mean',
  normalize: false,
} as const;

function rowsOf(...lengthsAndIds: readonly (readonly [tokens: number, id: number])[]): FittedRows {
  const rows = lengthsAndIds.map(([tokens, id]) => ({
    ids: new Int32Array(tokens).fill(id),
    typeIds: null,
  }));
  return rows as unknown as FittedRows;
}

function start(
  workers: number,
  permits = new CpuPermits(workers),
): { pool: FakePool; engine: Scheduler } {
  const pool = new FakePool(workers);
  const budget = { maxPaddedTokens: 1024, maxRows: 256 };
  const maxQueueTokens = 100_000;
  const parts = { model: 'm', pool, budget, maxQueueTokens, permits, threadsPerBatch: 1 };
  return { pool, engine: new Scheduler(parts) };
}

function scopeOf(signal = new AbortController().signal): {
  id: string;
  signal: AbortSignal;
  deadlineMs: number;
} {
  return { id: 'test', signal, deadlineMs: Infinity };
}

async function valuesOf(result: ReturnType<Scheduler['infer']>): Promise<(number | undefined)[]> {
  return (await result).tensors.map(({ data }) => data[0]);
}

describe('Scheduler', () => {
  test('gives every row its result, in the order of the request', async () => {
    const { pool, engine } = start(2);
    const rows = rowsOf([500, 1], [2, 2], [30, 3], [500, 4], [2, 5], [31, 6]);
    const result = valuesOf(engine.infer(rows, { head: HEAD, scope: scopeOf() }));
    await pool.finishAll();
    expect(await result).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('cuts a request of one long and many short rows into runs without much padding', async () => {
    const { pool, engine } = start(1);
    const rows = rowsOf([512, 9], ...Array.from({ length: 1023 }, () => [4, 1] as const));
    const result = engine.infer(rows, { head: HEAD, scope: scopeOf() });
    await pool.finishAll();
    await result;
    const padded = pool.works.reduce(
      (sum, { lengths }) => sum + lengths.length * Math.max(...lengths),
      0,
    );
    expect(padded).toBe(512 + 1023 * 4);
  });

  test('puts rows of several requests into one batch', async () => {
    const { pool, engine } = start(1);
    const first = engine.infer(rowsOf([9, 1]), { head: HEAD, scope: scopeOf() });
    const second = valuesOf(engine.infer(rowsOf([8, 2]), { head: HEAD, scope: scopeOf() }));
    const third = valuesOf(engine.infer(rowsOf([8, 3]), { head: HEAD, scope: scopeOf() }));
    await pool.finishAll();
    await first;
    expect(await Promise.all([second, third])).toEqual([[2], [3]]);
    expect(pool.works.map(({ lengths }) => lengths.length)).toEqual([1, 2]);
  });

  test('lets a small request pass a large one', async () => {
    const { pool, engine } = start(1);
    const large = engine.infer(rowsOf(...Array.from({ length: 20 }, () => [512, 1] as const)), {
      head: HEAD,
      scope: scopeOf(),
    });
    const small = valuesOf(engine.infer(rowsOf([3, 2]), { head: HEAD, scope: scopeOf() }));
    pool.open[0]?.finish();
    await new Promise((resolve) => setImmediate(resolve));
    pool.open[0]?.finish();
    expect(await small).toEqual([2]);
    expect(pool.works[1]?.ids).toEqual(Int32Array.of(2, 2, 2));
    await pool.finishAll();
    await large;
  });

  test('starves no row of a large request, however many small ones keep coming', async () => {
    const { pool, engine } = start(1);
    const options = { head: HEAD, scope: scopeOf() };
    const rows = rowsOf(...Array.from({ length: 40 }, () => [512, 1] as const));
    const large = { done: false, result: engine.infer(rows, options) };
    void large.result.then(() => {
      large.done = true;
    });
    const small: Promise<unknown>[] = [];
    let waiting = 0;
    for (let batches = 0; batches < 1000 && !large.done; batches += 1) {
      for (; waiting < 16; waiting += 1) {
        const result = engine.infer(rowsOf([256, 2]), options).then(() => {
          waiting -= 1;
        });
        small.push(result);
      }
      pool.open[0]?.finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(large.done).toBe(true);
    await pool.finishAll();
    await Promise.all(small);
  });

  test('splits a small request over free workers', async () => {
    const { pool, engine } = start(2);
    const rows = rowsOf(...Array.from({ length: 16 }, () => [16, 1] as const));
    const result = engine.infer(rows, { head: HEAD, scope: scopeOf() });
    expect(pool.works.map(({ lengths }) => lengths.length)).toEqual([8, 8]);
    await pool.finishAll();
    await result;
  });

  test('drops the waiting rows of a request that is given up', async () => {
    const { pool, engine } = start(1);
    const client = new AbortController();
    const running = engine.infer(rowsOf([9, 1]), { head: HEAD, scope: scopeOf() });
    const given = engine.infer(rowsOf([9, 2]), { head: HEAD, scope: scopeOf(client.signal) });
    client.abort(new ServeError('client_closed', 'gone'));
    await expect(given).rejects.toMatchObject({ code: 'client_closed' });
    await pool.finishAll();
    await running;
    expect(pool.works).toHaveLength(1);
  });

  test('refuses a request that was given up before', async () => {
    const { engine } = start(1);
    const signal = AbortSignal.abort(new ServeError('client_closed', 'gone'));
    const given = engine.infer(rowsOf([9, 2]), { head: HEAD, scope: scopeOf(signal) });
    await expect(given).rejects.toMatchObject({ code: 'client_closed' });
  });

  test('runs the rows of a failed batch again, each request by itself, and fails the culprit alone', async () => {
    const { pool, engine } = start(1);
    const before = engine.infer(rowsOf([9, 1]), { head: HEAD, scope: scopeOf() });
    const good = valuesOf(engine.infer(rowsOf([8, 2]), { head: HEAD, scope: scopeOf() }));
    const bad = engine.infer(rowsOf([8, 3]), { head: HEAD, scope: scopeOf() });
    const failure = expect(bad).rejects.toMatchObject({ code: 'inference_failed' });
    for (let batch = pool.open[0]; batch; batch = pool.open[0]) {
      if (batch.work.ids.includes(3)) batch.fail(new Error('poison'));
      else batch.finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await before;
    expect(await good).toEqual([2]);
    await failure;
    expect(pool.works.map(({ lengths }) => lengths.length)).toEqual([1, 2, 1, 1]);
  });

  test('takes requests up to exactly the bound of the queue, and refuses a token more', async () => {
    const { pool, engine } = start(1);
    const options = { head: HEAD, scope: scopeOf() };
    const running = engine.infer(rowsOf([1000, 1]), options);
    // An empty queue takes anything.
    const first = engine.infer(
      rowsOf(...Array.from({ length: 199 }, () => [500, 1] as const)),
      options,
    );
    const last = engine.infer(rowsOf([500, 1]), options);
    expect(() => {
      engine.requireRoom();
    }).toThrow(/100000 tokens are waiting.*queue_tokens, 100000/);
    const refused = engine.infer(rowsOf([1, 1]), options);
    await expect(refused).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 });
    await pool.finishAll();
    await Promise.all([running, first, last]);
    engine.requireRoom();
  });

  test('takes a request larger than the bound when nothing waits', async () => {
    const { pool, engine } = start(1);
    const rows = rowsOf(...Array.from({ length: 201 }, () => [500, 1] as const));
    const result = engine.infer(rows, { head: HEAD, scope: scopeOf() });
    await pool.finishAll();
    expect((await result).tensors).toHaveLength(201);
  });

  test('shares permits with other engines', async () => {
    const permits = new CpuPermits(1);
    const one = start(1, permits);
    const other = start(1, permits);
    const first = one.engine.infer(rowsOf([9, 1]), { head: HEAD, scope: scopeOf() });
    const second = other.engine.infer(rowsOf([9, 2]), { head: HEAD, scope: scopeOf() });
    expect([one.pool.open.length, other.pool.open.length]).toEqual([1, 0]);
    await one.pool.finishAll();
    expect(other.pool.open).toHaveLength(1);
    await other.pool.finishAll();
    await Promise.all([first, second]);
  });

  test('closes its pool when the last batch has ended', async () => {
    const { pool, engine } = start(1);
    const result = engine.infer(rowsOf([9, 1]), { head: HEAD, scope: scopeOf() });
    const closed = engine.close();
    expect(pool.closed).toBe(false);
    await pool.finishAll();
    await Promise.all([result, closed]);
    expect(pool.closed).toBe(true);
  });
});
