import { folderOf, maxDifference } from './open-servable.ts';
import {
  CLASSIFIER,
  CLASSIFIER_FOLDER,
  RERANKER,
  RERANKER_FOLDER,
  type RankedExample,
} from './score-fixtures.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

/** Names of the models of {@link startScoreServer}. */
export const EMBEDDER = 'sentence-transformers/all-MiniLM-L6-v2';
export const RERANKER_NAME = 'tiny-reranker';
export const CLASSIFIER_NAME = 'org/classifier';

/** Starts the built server with a model of each type. */
export async function startScoreServer(): Promise<ServerProcess> {
  const folder = tempFolder();
  const models = [
    [EMBEDDER, 'embeddings', 'models/all-MiniLM-L6-v2'],
    [RERANKER_NAME, 'rerank', RERANKER_FOLDER],
    [CLASSIFIER_NAME, 'classify', CLASSIFIER_FOLDER],
  ] as const;
  const entries = models.map(([name, type, path]) => {
    const options = `{ models_path: ${folderOf(path)} }`;
    folder.write(`${type}.yaml`, `nodes: [{ type: ${type}, options: ${options} }]\n`);
    return `  - { name: ${name}, graph: ${type}.yaml }\n`;
  });
  folder.write('config.yaml', `models:\n${entries.join('')}`);
  const server = await startServerProcess(['--config_path', `${folder.path}/config.yaml`]);
  return {
    ...server,
    stop: async () => {
      const exit = await server.stop();
      folder.remove();
      return exit;
    },
  };
}

/** A result of `/rerank`. */
export interface Rank {
  readonly index: number;
  readonly score: number;
  readonly text?: string;
}

/** An answer of `/v3/rerank`. */
export interface RankedList {
  readonly results: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document?: { readonly text: string };
  }[];
  readonly model: string;
  readonly usage: object;
}

/** The labels of an input, as of `/predict`. */
export type Predicted = readonly { readonly label: string; readonly score: number }[];

/** The documents of an example. */
export function textsOf({ documents }: RankedExample): readonly string[] {
  return documents.map(({ text }) => text);
}

/** Checks the order of ranks, and gives their scores in the order of the documents. */
export function scoresOf(ranks: readonly Rank[]): readonly number[] {
  const expected = [...ranks].sort(
    (one, other) => other.score - one.score || one.index - other.index,
  );
  expect(ranks).toEqual(expected);
  const scores: number[] = [];
  for (const { index, score } of ranks) scores[index] = score;
  return scores;
}

/** Checks ranks against the reference. */
export function expectRanks(ranks: readonly Rank[], { documents }: RankedExample): void {
  const scores = documents.map(({ score }) => score);
  expect(maxDifference(scoresOf(ranks), scores)).toBeLessThanOrEqual(RERANKER.tolerance);
}

/** Checks labels and their order against the reference. */
export function expectLabels(predicted: Predicted, scores: Readonly<Record<string, number>>): void {
  const sorted = [...predicted].sort((one, other) => other.score - one.score);
  expect(predicted).toEqual(sorted);
  const actual = CLASSIFIER.labels.map(
    (name) => predicted.find(({ label }) => label === name)?.score ?? NaN,
  );
  const expected = CLASSIFIER.labels.map((name) => scores[name] ?? NaN);
  expect(maxDifference(actual, expected)).toBeLessThanOrEqual(CLASSIFIER.tolerance);
}
