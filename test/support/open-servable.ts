import { resolve } from 'node:path';
import { StartError } from '../../src/errors.ts';
import { EMBEDDINGS } from '../../src/graph/nodes/embeddings.ts';
import type { EmbeddingsOptions } from '../../src/graph/nodes/embeddings.ts';
import type { EmbeddingsServable } from '../../src/graph/servable.ts';
import { openEngine } from '../../src/inference/open-engine.ts';
import { CpuPermits } from '../../src/inference/permits.ts';
import { openTokenizer } from '../../src/tokenizer/index.ts';

/** The built files of the threads, since a thread starts outside of Jest. */
export const DIST = new URL('../../dist/', import.meta.url);

/** A folder of test/fixtures, or of models. */
export function folderOf(path: string): string {
  return resolve(import.meta.dirname, '../..', path);
}

/** Opens the model of a folder with real parts, as the server does. */
export function openServable(
  folder: string,
  options: Partial<EmbeddingsOptions> = {},
): Promise<EmbeddingsServable> {
  const host = {
    workerUrl: new URL('inference/worker.js', DIST),
    cpus: 2,
    permits: new CpuPermits(2),
  };
  return EMBEDDINGS.open({
    name: folder,
    options: {
      modelsPath: folderOf(folder),
      modelFile: 'model.onnx',
      tokenizer: { file: 'tokenizer.json', engine: 'tokenizers' },
      normalizeEmbeddings: true,
      truncate: false,
      maxBatchSize: 1024,
      session: {
        numStreams: 2,
        intraOpNumThreads: 1,
        maxPaddedTokens: 1024,
        configEntries: {},
      },
      ...options,
    },
    fault: (option, reason) => new StartError('config', `${option.join('.')}: ${reason}`),
    warn: () => undefined,
    openTokenizer: (tokenizer) =>
      openTokenizer(tokenizer, {
        xenovaWorkerUrl: new URL('tokenizer/xenova-worker.js', DIST),
        warn: () => undefined,
      }),
    openEngine: (engine) => openEngine(host, engine),
  });
}

/** The largest absolute difference of two arrays of one length. */
export function maxDifference(one: ArrayLike<number>, other: ArrayLike<number>): number {
  expect(one.length).toBe(other.length);
  let most = 0;
  for (let at = 0; at < one.length; at += 1) {
    most = Math.max(most, Math.abs((one[at] ?? NaN) - (other[at] ?? NaN)));
  }
  return most;
}
