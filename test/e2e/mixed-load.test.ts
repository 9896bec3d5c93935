/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { AnswerReader } from '../support/answer-reader.ts';
import { folderOf, maxDifference } from '../support/open-servable.ts';
import { CLASSIFIER, RERANKER } from '../support/score-fixtures.ts';
import {
  EMBEDDER,
  expectLabels,
  expectRanks,
  startScoreServer,
  textsOf,
  type Predicted,
  type Rank,
} from '../support/score-server.ts';
import type { ServerProcess } from '../support/server-process.ts';

describe('a server with a model of each type, under a mixed load', () => {
  let server: ServerProcess;
  let reader: AnswerReader;

  beforeAll(async () => {
    server = await startScoreServer();
    reader = new AnswerReader(server.url);
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test('mixes nothing up under a mixed load', async () => {
    const golden = readFileSync(folderOf('test/golden/golden-minilm.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; embedding: number[] });

    async function embed(at: number): Promise<void> {
      const examples = [0, 1, 2].map((step) => golden[(at * 3 + step) % golden.length]);
      const ask = { model: EMBEDDER, input: examples.map((given) => given?.text) };
      const { data } = (await reader.ask('/v3/embeddings', ask)) as {
        data: { embedding: number[] }[];
      };
      examples.forEach((given, row) => {
        const actual = data[row]?.embedding ?? [];
        expect(maxDifference(actual, given?.embedding ?? [])).toBeLessThanOrEqual(2e-4);
      });
    }
    async function rank(at: number): Promise<void> {
      const ranked = RERANKER.queries[at % RERANKER.queries.length] ?? { query: '', documents: [] };
      // A rotation of the documents, so that no two requests are alike.
      const turn = at % ranked.documents.length;
      const documents = [...ranked.documents.slice(turn), ...ranked.documents.slice(0, turn)];
      const turned = { ...ranked, documents };
      const ask = { query: ranked.query, texts: textsOf(turned), return_text: true };
      const ranks = (await reader.ask('/rerank', ask)) as readonly Rank[];
      expectRanks(ranks, turned);
      for (const { index, text } of ranks) expect(text).toBe(documents[index]?.text);
    }
    async function predict(at: number): Promise<void> {
      const { inputs } = CLASSIFIER;
      const examples = [0, 1, 2, 3].map((step) => inputs[(at * 5 + step) % inputs.length]);
      const ask = { inputs: examples.map((given) => [given?.text]) };
      const predicted = (await reader.ask('/predict', ask)) as readonly Predicted[];
      expect(predicted).toHaveLength(examples.length);
      examples.forEach((given, row) => {
        expectLabels(predicted[row] ?? [], given?.scores ?? {});
      });
    }

    const rounds = Array.from({ length: 50 }, (_, at) => [embed(at), rank(at), predict(at)]);
    await Promise.all(rounds.flat());
  }, 60_000);
});
