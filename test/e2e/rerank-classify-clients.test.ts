import { describeClients } from '../support/foreign-clients.ts';
import { NPM_PERFORMANCE_CLIENT, npmPerformanceClient } from '../support/npm-performance-client.ts';
import { maxDifference } from '../support/open-servable.ts';
import { describePython, runPython } from '../support/python.ts';
import { CLASSIFIER, RERANKER, type RankedExample } from '../support/score-fixtures.ts';
import { startScoreServer } from '../support/score-server.ts';
import type { ServerProcess } from '../support/server-process.ts';

const [EXAMPLE] = RERANKER.queries as readonly [RankedExample];
const TEXTS = EXAMPLE.documents.map(({ text }) => text);
const INPUTS = CLASSIFIER.inputs.map(({ text }) => text);

/** Index, score, text. */
type Ranked = readonly [number, number, string];
type Labelled = readonly [label: string, score: number];

/** Checks the scores and texts of all documents, in whatever order. */
function expectRanked(ranked: readonly Ranked[], field: 'score' | 'logit'): void {
  expect(ranked).toHaveLength(TEXTS.length);
  for (const [index, score, text] of ranked) {
    const document = EXAMPLE.documents[index];
    expect(text).toBe(document?.text);
    expect(Math.abs(score - (document?.[field] ?? NaN))).toBeLessThanOrEqual(RERANKER.tolerance);
  }
}

function expectLabelled(predicted: readonly (readonly Labelled[])[], isRaw: boolean): void {
  expect(predicted).toHaveLength(INPUTS.length);
  CLASSIFIER.inputs.forEach(({ logits, scores }, at) => {
    const found = new Map(predicted[at]);
    const actual = CLASSIFIER.labels.map((label) => found.get(label) ?? NaN);
    const expected = isRaw ? logits : CLASSIFIER.labels.map((label) => scores[label] ?? NaN);
    expect(maxDifference(actual, expected)).toBeLessThanOrEqual(CLASSIFIER.tolerance);
  });
}

describe('a server with a reranker and a classifier', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startScoreServer();
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  describeClients([NPM_PERFORMANCE_CLIENT], () => {
    test.each([
      [false, 'score'],
      [true, 'logit'],
    ] as const)('reranks, with raw scores %s', async (raw, field) => {
      // Small batches, so that the client has to put answers together.
      const { data } = await npmPerformanceClient(server.url).rerank(
        EXAMPLE.query,
        TEXTS,
        ...[raw, true, false, 'Right', 4, 3],
      );
      expectRanked(
        data.map(({ index, score, text }) => [index, score, text ?? '']),
        field,
      );
    });

    test.each([false, true])('classifies, with raw scores %s', async (raw) => {
      const { data } = await npmPerformanceClient(server.url).classify(
        INPUTS,
        ...[raw, false, 'Right', 4, 3],
      );
      const labelled = data.map((labels) =>
        labels.map(({ label, score }): Labelled => [label, score]),
      );
      expectLabelled(labelled, raw);
    });
  });

  describePython('the Python Baseten client', () => {
    interface Answer {
      readonly reranked: readonly Ranked[];
      readonly classified: readonly (readonly Labelled[])[];
    }

    test.each([
      ['MessagePack', { http: 1, accept: null, raw: false }],
      ['JSON', { http: 1, accept: 'application/json', raw: false }],
      ['MessagePack over HTTP/2', { http: 2, accept: null, raw: false }],
      ['raw scores', { http: 1, accept: null, raw: true }],
    ])('reranks and classifies: %s', async (_name, { http, accept, raw }) => {
      // Small batches, so that the client has to put answers together.
      const call = {
        ...{ query: EXAMPLE.query, texts: TEXTS, inputs: INPUTS, batch_size: 3, raw },
        ...{ http_version: http, accept, reranker: 'tiny-reranker', classifier: 'org/classifier' },
      };
      const answer = (await runPython('rerank_classify', [
        'baseten',
        server.url,
        JSON.stringify(call),
      ])) as Answer;
      expectRanked(answer.reranked, raw ? 'logit' : 'score');
      expectLabelled(answer.classified, raw);
    });

    test('finds the only model of a type by itself', async () => {
      const call = {
        ...{ query: EXAMPLE.query, texts: TEXTS, inputs: INPUTS, batch_size: 128, raw: false },
        ...{ http_version: 1, accept: null, reranker: null, classifier: null },
      };
      const answer = (await runPython('rerank_classify', [
        'baseten',
        server.url,
        JSON.stringify(call),
      ])) as Answer;
      expectRanked(answer.reranked, 'score');
      // In one batch the order is the server's.
      const scores = answer.reranked.map(([, score]) => score);
      expect(scores).toEqual([...scores].sort((one, other) => other - one));
      expectLabelled(answer.classified, false);
    });
  });

  describePython('rerankers of Python programs', () => {
    test.each(['langchain', 'cohere', 'requests'])('get the best two by %s', async (client) => {
      const call = { query: EXAMPLE.query, texts: TEXTS, top_n: 2, reranker: 'tiny-reranker' };
      const ranked = (await runPython('rerank_classify', [
        client,
        server.url,
        JSON.stringify(call),
      ])) as readonly Ranked[];
      const best = EXAMPLE.documents
        .map(({ score, text }, index) => ({ index, score, text }))
        .sort((one, other) => other.score - one.score)
        .slice(0, 2);
      expect(ranked.map(([index, , text]) => ({ index, text }))).toEqual(
        best.map(({ index, text }) => ({ index, text })),
      );
      ranked.forEach(([, score], at) => {
        expect(Math.abs(score - (best[at]?.score ?? NaN))).toBeLessThanOrEqual(RERANKER.tolerance);
      });
    });
  });
});
