import { resolve } from 'node:path';
import { StartError } from '../../src/errors.ts';
import { EMBEDDINGS } from '../../src/graph/nodes/embeddings.ts';
import type { EmbeddingsOptions } from '../../src/graph/nodes/embeddings.ts';
import type { NodeType } from '../../src/graph/node-type.ts';
import type { ModelOptions } from '../../src/graph/nodes/options.ts';
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

/** Opens an embeddings model of a folder with real parts, as the server does. */
export function openServable(
  folder: string,
  options: Partial<EmbeddingsOptions> = {},
): Promise<EmbeddingsServable> {
  return openNode(EMBEDDINGS, folder, { normalizeEmbeddings: true, ...options });
}

/** Opens the model of a folder as a node of a type, with real parts; `options` beat the defaults. */
export function openNode<Options extends ModelOptions, Opened>(
  type: NodeType<Options, Opened>,
  folder: string,
  options: Omit<Options, keyof ModelOptions> & Partial<ModelOptions>,
): Promise<Opened> {
  const host = {
    workerUrl: new URL('inference/worker.js', DIST),
    cpus: 2,
    permits: new CpuPermits(2),
    queueTokens: null,
    onFailure: () => undefined,
  };
  const given: unknown = {
    modelsPath: folderOf(folder),
    modelFile: 'model.onnx',
    tokenizer: { file: 'tokenizer.json', engine: 'tokenizers' },
    truncate: false,
    maxBatchSize: 1024,
    session: {
      numStreams: 2,
      intraOpNumThreads: 1,
      maxPaddedTokens: 1024,
      configEntries: {},
    },
    ...options,
  };
  return type.open({
    name: folder,
    options: given as Options,
    fault: (option, reason) => new StartError('config', `${option.join('.')}: ${reason}`),
    warn: () => undefined,
    faultText: null,
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
