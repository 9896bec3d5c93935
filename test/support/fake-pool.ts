import { applyHead } from '../../src/inference/heads/index.ts';
import type { BatchPool } from '../../src/inference/pool.ts';
import type { BatchOutput, BatchWork } from '../../src/inference/work.ts';

interface OpenBatch {
  readonly work: BatchWork;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * A pool whose batches end when a test says so. Its model gives for each token the id as its hidden
 * state of one dimension, so that a row pooled by mean is the mean of its ids.
 */
export class FakePool implements BatchPool {
  readonly info = {
    inputs: ['input_ids', 'attention_mask'],
    outputs: [{ name: 'last_hidden_state', kind: 'hidden', dimensions: 1 }],
  } as const;
  /** Every batch so far. */
  readonly works: BatchWork[] = [];
  /** The batches that run now, oldest first. */
  readonly open: OpenBatch[] = [];
  closed = false;
  readonly #size: number;
  #free: number;
  #onFree: () => void = () => undefined;

  constructor(workers: number) {
    this.#size = workers;
    this.#free = workers;
  }

  size(): number {
    return this.#size;
  }

  free(): number {
    return this.#free;
  }

  onFree(listener: () => void): void {
    this.#onFree = listener;
  }

  run(work: BatchWork): Promise<BatchOutput> {
    this.#free -= 1;
    this.works.push(work);
    return new Promise((resolve, reject) => {
      const free = (): void => {
        this.open.splice(
          this.open.findIndex((batch) => batch.work === work),
          1,
        );
        this.#free += 1;
        queueMicrotask(this.#onFree);
      };
      this.open.push({
        work,
        finish: () => {
          free();
          resolve(outputOf(work));
        },
        fail: (error) => {
          free();
          reject(error);
        },
      });
    });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  /** Ends batches, oldest first, until none is open and no other starts. */
  async finishAll(): Promise<void> {
    for (let batch = this.open[0]; batch; batch = this.open[0]) {
      batch.finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function outputOf(work: BatchWork): BatchOutput {
  const { lengths, ids, head } = work;
  const columns = Math.max(...lengths);
  const data = new Float32Array(lengths.length * columns);
  let at = 0;
  lengths.forEach((length, row) => {
    data.set(ids.subarray(at, at + length), row * columns);
    at += length;
  });
  return { ...applyHead({ shape: [lengths.length, columns, 1], data }, lengths, head), runMs: 1 };
}
