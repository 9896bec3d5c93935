import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { latencies, spansWithin, textsPerSecond } from './statistics.mjs';

/** Batches at a worker: one runs, one waits, so that a worker never waits for the main thread. */
const DEPTH = 2;

/**
 * Runs batches in worker threads, round and round, for a time.
 *
 * @param {readonly import('./ceiling-batches.mjs').Batch[]} batches
 * @param {object} options
 * @param {string} options.modelFile
 * @param {number} options.workers
 * @param {number} options.threads Of each worker's session
 * @param {number} [options.depth] Batches at a worker
 * @param {number} options.warmupMs
 * @param {number} options.windowMs
 */
export async function runCeiling(batches, options) {
  const { workers, threads, modelFile, warmupMs, windowMs, depth = DEPTH } = options;
  const pool = await Promise.all(
    Array.from({ length: workers }, () => startWorker({ modelFile, threads })),
  );
  const start = performance.timeOrigin + performance.now() + warmupMs;
  const window = { start, end: start + windowMs };
  const spans = await runAll(pool, { batches, depth, window });
  await Promise.all(pool.map(closed));
  return {
    textsPerSecond: textsPerSecond(spans, window),
    ...latencies(spansWithin(spans, window)),
    batches: spans.length,
  };
}

async function startWorker(workerData) {
  const worker = new Worker(new URL('ceiling-worker.mjs', import.meta.url), { workerData });
  await once(worker, 'message');
  return worker;
}

async function closed(worker) {
  const exit = once(worker, 'exit');
  worker.postMessage('close');
  await exit;
}

/** @returns {Promise<import('./statistics.mjs').Span[]>} Once every batch that began in the window has ended */
async function runAll(pool, { batches, depth, window }) {
  const spans = [];
  let next = 0;
  function give(worker) {
    worker.postMessage(batches[next++ % batches.length]);
  }
  function work(worker) {
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.on('message', ({ start, end, texts }) => {
        spans.push({ start, end, texts });
        if (end >= window.end) resolve();
        else give(worker);
      });
      for (let given = 0; given < depth; given++) give(worker);
    });
  }
  await Promise.all(pool.map(work));
  return spans;
}
