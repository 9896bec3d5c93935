import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hangLimitMs, openPool } from '../../src/inference/pool.ts';
import type { BatchPool, PoolOptions } from '../../src/inference/pool.ts';
import type { BatchWork } from '../../src/inference/work.ts';
import { DIST, folderOf } from '../support/open-servable.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WORKER = new URL('inference/worker.js', DIST);
const MODEL = folderOf('test/fixtures/graphs/echo-int64.onnx');

function work(changes: Partial<BatchWork> = {}): BatchWork {
  return {
    ids: Int32Array.of(5, 6),
    typeIds: null,
    lengths: Int32Array.of(2),
    head: { kind: 'tokens', output: 'last_hidden_state' },
    crash: false,
    ...changes,
  };
}

const failures: string[] = [];
let pool: BatchPool | undefined;

async function open(changes: Partial<PoolOptions> = {}, modelFile = MODEL): Promise<BatchPool> {
  pool = await openPool({
    workerUrl: WORKER,
    model: 'test',
    numStreams: 1,
    session: {
      modelFile,
      options: { intraOpNumThreads: 1, padTokenId: 0, positionOffset: 0, configEntries: {} },
    },
    onFailure: (reason) => failures.push(reason),
    ...changes,
  });
  return pool;
}

function freed(opened: BatchPool): Promise<void> {
  return new Promise((resolve) => {
    opened.onFree(resolve);
  });
}

beforeEach(() => {
  failures.length = 0;
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

describe('openPool()', () => {
  test('runs a batch on a thread, with its buffers moved there', async () => {
    const opened = await open();
    const batch = work();
    const { data, shapes } = await opened.run(batch);
    expect(shapes).toEqual([[2, 4]]);
    expect(Array.from(data)).toEqual([5, 1, 0, 0, 6, 1, 0, 1]);
    expect(batch.ids).toHaveLength(0);
  });

  test('replaces a thread that dies, and fails its batch alone', async () => {
    const opened = await open({ numStreams: 2 });
    const dying = opened.run(work({ crash: true }));
    const other = opened.run(work());
    await expect(dying).rejects.toMatchObject({ name: 'ThreadEndedError' });
    expect((await other).shapes).toEqual([[2, 4]]);
    while (opened.free() < 2) await freed(opened);
    expect((await opened.run(work())).shapes).toEqual([[2, 4]]);
    expect(failures).toEqual([]);
  });

  test('frees a thread whose run fails, and keeps it', async () => {
    const opened = await open();
    const failing = opened.run(work({ head: { kind: 'tokens', output: 'no such output' } }));
    await expect(failing).rejects.toThrow(/no such output/);
    if (opened.free() === 0) await freed(opened);
    expect((await opened.run(work())).shapes).toEqual([[2, 4]]);
  });

  test('closes while a dead thread is being replaced', async () => {
    const opened = await open();
    await expect(opened.run(work({ crash: true }))).rejects.toThrow();
    await opened.close();
    expect(failures).toEqual([]);
  });

  test('gives up when a dead thread cannot be replaced', async () => {
    const folder = tempFolder();
    const file = join(folder.path, 'model.onnx');
    copyFileSync(MODEL, file);
    const failed = new Promise<string>((resolve) => {
      void open({ onFailure: resolve }, file).then(async (opened) => {
        rmSync(file);
        await opened.run(work({ crash: true })).catch(() => null);
      });
    });
    expect(await failed).toMatch(/could not be replaced/);
    folder.remove();
  });

  test('gives up when a run hangs', async () => {
    const workerUrl = new URL('../support/stuck-worker.mjs', import.meta.url);
    const opened = await open({ workerUrl, hangLimitMs: () => 20 });
    await expect(opened.run(work())).rejects.toThrow(/hangs/);
    expect(failures).toEqual(['a run of the model hangs']);
  });

  test('is refused for a file that is no model, however many threads were to open it', async () => {
    const opening = open({ numStreams: 3 }, folderOf('package.json'));
    await expect(opening).rejects.toMatchObject({ fault: 'config' });
  });
});

test('hangLimitMs() grows with the padded tokens', () => {
  expect(hangLimitMs(work({ lengths: Int32Array.of(2, 512) }))).toBe(60_000 + 1024 * 20);
});
