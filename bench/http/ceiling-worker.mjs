/** A thread with a session: batches of token rows in, pooled and normalized vectors out, nothing else. */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';

const { modelFile, threads } = workerData;
const session = await ort.InferenceSession.create(modelFile, {
  executionProviders: ['cpu'],
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});

/** int64 tensors of `[rows, columns]`. Ids are written as low words: no BigInt for each. */
function feedsOf(ids, lengths, columns) {
  const dims = [lengths.length, columns];
  const [inputIds, mask, typeIds] = Array.from({ length: 3 }, () => {
    return new BigInt64Array(lengths.length * columns);
  });
  const idWords = new Int32Array(inputIds.buffer);
  const maskWords = new Int32Array(mask.buffer);
  let from = 0;
  for (const [row, length] of lengths.entries()) {
    const first = 2 * row * columns;
    for (let column = 0; column < length; column++) {
      idWords[first + 2 * column] = ids[from + column];
      maskWords[first + 2 * column] = 1;
    }
    from += length;
  }
  const arrays = { input_ids: inputIds, attention_mask: mask, token_type_ids: typeIds };
  const names = session.inputNames;
  return Object.fromEntries(
    names.map((name) => [name, new ort.Tensor('int64', arrays[name], dims)]),
  );
}

/** Mean over the real tokens, then length 1. */
function pooled(hidden, lengths, { columns, dimensions }) {
  const vectors = new Float32Array(lengths.length * dimensions);
  for (const [row, length] of lengths.entries()) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    for (let column = 0; column < length; column++) {
      const from = (row * columns + column) * dimensions;
      for (let i = 0; i < dimensions; i++) vector[i] += hidden[from + i];
    }
    let squares = 0;
    for (const value of vector) squares += value * value;
    const scale = 1 / Math.sqrt(squares);
    for (let i = 0; i < dimensions; i++) vector[i] *= scale;
  }
  return vectors;
}

async function run({ ids, lengths }) {
  const start = performance.timeOrigin + performance.now();
  const columns = Math.max(...lengths);
  const [output] = session.outputNames;
  const { [output]: hidden } = await session.run(feedsOf(ids, lengths, columns), [output]);
  const vectors = pooled(hidden.data, lengths, { columns, dimensions: hidden.dims[2] });
  hidden.dispose();
  const end = performance.timeOrigin + performance.now();
  parentPort.postMessage({ vectors, start, end, texts: lengths.length }, [vectors.buffer]);
}

// One after another: `session.run` starts late, so the next message may come before it began.
let last = Promise.resolve();
parentPort.on('message', (batch) => {
  last = last.then(() => (batch === 'close' ? close() : run(batch)));
});

/** A thread that is terminated during a run takes the whole process with it, so it ends by itself. */
async function close() {
  await session.release();
  parentPort.close();
}

parentPort.postMessage('ready');
