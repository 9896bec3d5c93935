/**
 * The ceiling: the texts of a workload straight through onnxruntime-node, no HTTP, tokenized before the clock
 * runs. Prints a line of JSON. A process of its own, whose main thread loads no model.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ceilingBatches } from './ceiling-batches.mjs';
import { runCeiling } from './ceiling-run.mjs';

const MODEL_PATH = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2');

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'query' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '0.5' },
    model_path: { type: 'string', default: MODEL_PATH },
    model_file: { type: 'string', default: 'model.onnx' },
    budget_tokens: { type: 'string', default: '1024' },
    workers: { type: 'string', default: '2' },
    threads: { type: 'string', default: '1' },
  },
});

/** One connection has one text in flight: one row at a time, with the better use of two cores, and with one. */
const SINGLE_SPLITS = [
  { name: '1x2', workers: 1, threads: 2, depth: 1 },
  { name: '1x1', workers: 1, threads: 1, depth: 1 },
];

function splitsOf(workload) {
  if (workload === 'single') return SINGLE_SPLITS;
  const [workers, threads] = [Number(values.workers), Number(values.threads)];
  return [{ name: `${workers}x${threads}`, workers, threads }];
}

async function main() {
  const [seconds, warmup] = [Number(values.seconds), Number(values.warmup)];
  const batches = await ceilingBatches(values.workload, Number(values.seed), {
    modelPath: values.model_path,
    budgetTokens: Number(values.budget_tokens),
    seconds: seconds + warmup,
  });
  const modelFile = resolve(values.model_path, values.model_file);
  const times = { warmupMs: warmup * 1000, windowMs: seconds * 1000 };
  const splits = {};
  for (const { name, ...split } of splitsOf(values.workload)) {
    splits[name] = await runCeiling(batches, { modelFile, ...split, ...times });
  }
  console.log(JSON.stringify(splits));
}

await main();
