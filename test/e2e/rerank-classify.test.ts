/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { AnswerReader, MEDIA_TYPES } from '../support/answer-reader.ts';
import { maxDifference } from '../support/open-servable.ts';
import { CLASSIFIER, RERANKER, tokensOf, type RankedExample } from '../support/score-fixtures.ts';
import {
  CLASSIFIER_NAME,
  EMBEDDER,
  expectLabels,
  expectRanks,
  RERANKER_NAME,
  scoresOf,
  startScoreServer,
  textsOf,
  type Predicted,
  type Rank,
  type RankedList,
} from '../support/score-server.ts';
import type { ServerProcess } from '../support/server-process.ts';

describe('a server with a model of each type', () => {
  let server: ServerProcess;
  let reader: AnswerReader;

  beforeAll(async () => {
    server = await startScoreServer();
    reader = new AnswerReader(server.url);
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  const [example] = RERANKER.queries as readonly [RankedExample];
  const body = { query: example.query, texts: textsOf(example) };
  const listBody = { query: example.query, documents: textsOf(example) };
  const usage = {
    prompt_tokens: tokensOf(example.documents),
    total_tokens: tokensOf(example.documents),
  };

  test.each(MEDIA_TYPES)('ranks texts on /rerank, as %s', async (accept) => {
    for (const ranked of RERANKER.queries) {
      const ask = { query: ranked.query, texts: textsOf(ranked) };
      const ranks = (await reader.ask('/rerank', ask, accept)) as readonly Rank[];
      expectRanks(ranks, ranked);
      expect(Object.keys(ranks[0] ?? {})).toEqual(['index', 'score']);
    }
  });

  test.each(['/v3/rerank', '/v1/rerank', '/v2/rerank', '/v3/v1/rerank'])(
    'ranks documents on %s',
    async (path) => {
      const answers = await Promise.all(
        MEDIA_TYPES.map((accept) => reader.ask(path, listBody, accept)),
      );
      expect(answers[1]).toEqual(answers[0]);
      const { results, ...others } = answers[0] as RankedList;
      const ranks = results.map(({ index, relevance_score: score }) => ({ index, score }));
      expectRanks(ranks, example);
      expect(others).toEqual({ model: RERANKER_NAME, usage });
    },
  );

  test('answers by the field that holds the documents, on every rerank route', async () => {
    const ranks = await reader.ask('/rerank', body);
    for (const path of ['/v3/rerank', '/v1/rerank']) {
      expect(await reader.ask(path, body)).toEqual(ranks);
    }
    expect(await reader.ask('/rerank', listBody)).toEqual(await reader.ask('/v3/rerank', listBody));
  });

  test('gives documents, the best few, and raw scores when asked', async () => {
    const documents = listBody.documents.map((text) => ({ text, id: 7 }));
    const ask = { ...listBody, documents, top_n: 2, return_documents: true, raw_scores: true };
    const { results } = (await reader.ask('/v1/rerank', ask)) as RankedList;
    const byLogit = example.documents
      .map(({ logit, text }, index) => ({ index, logit, text }))
      .sort((one, other) => other.logit - one.logit);
    expect(results).toHaveLength(2);
    results.forEach((result, at) => {
      const { index, logit = NaN, text } = byLogit[at] ?? {};
      expect(result).toMatchObject({ index, document: { text } });
      expect(Math.abs(result.relevance_score - logit)).toBeLessThanOrEqual(RERANKER.tolerance);
    });
    const whole = { ...body, return_text: true, raw_scores: true, model: RERANKER_NAME };
    const ranks = (await reader.ask('/rerank', whole)) as readonly Rank[];
    for (const { index, text } of ranks) expect(text).toBe(body.texts[index]);
    const logits = example.documents.map(({ logit }) => logit);
    expect(maxDifference(scoresOf(ranks), logits)).toBeLessThanOrEqual(RERANKER.tolerance);
  });

  test.each(MEDIA_TYPES)('classifies on /predict and /classify, as %s', async (accept) => {
    const texts = CLASSIFIER.inputs.map(({ text }) => text);
    const inputs = texts.map((text) => [text]);
    const predicted = (await reader.ask('/predict', { inputs }, accept)) as readonly Predicted[];
    expect(predicted).toHaveLength(texts.length);
    CLASSIFIER.inputs.forEach(({ scores }, at) => {
      expectLabels(predicted[at] ?? [], scores);
    });
    expect(await reader.ask('/v3/predict', { inputs: texts }, accept)).toEqual(predicted);
    const tokens = tokensOf(CLASSIFIER.inputs);
    expect(await reader.ask('/classify', { input: texts }, accept)).toEqual({
      object: 'classify',
      data: predicted,
      model: CLASSIFIER_NAME,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  });

  test('classifies one text as a list of one, and a pair as one input', async () => {
    const one = (await reader.ask('/predict', { inputs: 'A mountain lake.' })) as Predicted[];
    expect(one).toHaveLength(1);
    expectLabels(one[0] ?? [], CLASSIFIER.inputs[0]?.scores ?? {});
    expect(await reader.ask('/predict', { inputs: ['A mountain lake.'] })).toEqual(one);
    const inputs = [['A mountain lake.'], ['A mountain lake.', 'The guide answers.']];
    const two = (await reader.ask('/predict', { inputs })) as Predicted[];
    expect(two).toHaveLength(2);
    expect(two[1]).not.toEqual(two[0]);
    const ask = { inputs: 'A mountain lake.', raw_scores: true };
    const [raw] = (await reader.ask('/predict', ask)) as [Predicted];
    const { logits = [] } = CLASSIFIER.inputs[0] ?? {};
    const sorted = [...logits].sort((a, b) => b - a);
    expect(
      maxDifference(
        raw.map(({ score }) => score),
        sorted,
      ),
    ).toBeLessThanOrEqual(1e-4);
  });

  test('has what is special of each model in its object and in KServe’s', async () => {
    async function get(path: string): Promise<unknown> {
      return (await fetch(`${server.url}${path}`)).json();
    }
    const limits = { context_length: 128, max_batch_size: 1024 };
    expect(await get('/v3/models')).toMatchObject({
      data: [
        { id: EMBEDDER, type: 'embeddings', dimensions: 384 },
        { id: RERANKER_NAME, type: 'rerank', scoring: 'logits', limits },
        { id: CLASSIFIER_NAME, type: 'classify', labels: CLASSIFIER.labels, limits },
      ],
    });
    expect(await get('/v2/models/tiny-reranker')).toMatchObject({
      outputs: [{ name: 'score', datatype: 'FP32', shape: [-1] }],
    });
    expect(await get('/v2/models/org/classifier')).toMatchObject({
      outputs: [{ name: 'scores', datatype: 'FP32', shape: [-1, 3] }],
    });
  });

  test('tokenizes with the models of every type', async () => {
    const [classified] = CLASSIFIER.inputs;
    for (const model of [RERANKER_NAME, CLASSIFIER_NAME]) {
      const { tokens } = (await reader.ask('/tokenize', { model, text: classified?.text })) as {
        tokens: number[];
      };
      expect(tokens).toHaveLength(classified?.tokens ?? NaN);
    }
  });

  const long = 'a '.repeat(200);
  const many = Array.from({ length: 1025 }, () => 'a');
  test.each([
    ['/rerank', { texts: ['a'] }, ['invalid_field', 'query']],
    ['/rerank', { query: 'q', texts: [] }, ['invalid_field', 'texts']],
    ['/v3/rerank', { query: 'q' }, ['invalid_field', 'documents']],
    ['/v3/rerank', { ...listBody, top_n: 0 }, ['invalid_field', 'top_n']],
    ['/predict', { inputs: [['a', 'b', 'c']] }, ['invalid_field', 'inputs']],
    ['/classify', { input: [['a']] }, ['invalid_field', 'input']],
    ['/rerank', { ...body, model: EMBEDDER }, ['wrong_node_type', 'model']],
    ['/v3/rerank', { ...listBody, model: CLASSIFIER_NAME }, ['wrong_node_type', 'model']],
    ['/predict', { inputs: 'a', model: RERANKER_NAME }, ['wrong_node_type', 'model']],
    ['/classify', { input: 'a', model: EMBEDDER }, ['wrong_node_type', 'model']],
    ['/v3/embeddings', { input: 'a', model: RERANKER_NAME }, ['wrong_node_type', 'model']],
    ['/v3/embeddings', { input: 'a', model: CLASSIFIER_NAME }, ['wrong_node_type', 'model']],
    ['/rerank', { query: 'q', texts: many }, ['batch_too_large', 'texts']],
    ['/v3/rerank', { query: 'q', documents: many }, ['batch_too_large', 'documents']],
    ['/predict', { inputs: many }, ['batch_too_large', 'inputs']],
    ['/classify', { input: many }, ['batch_too_large', 'input']],
    ['/rerank', { query: 'q', texts: ['a', long] }, ['input_too_long', 'texts']],
    ['/v3/rerank', { query: 'q', documents: ['a', long] }, ['input_too_long', 'documents']],
    ['/rerank', { query: long, texts: ['a'], truncate: true }, ['input_too_long', 'query']],
    ['/predict', { inputs: ['a', long] }, ['input_too_long', 'inputs']],
    ['/predict', { inputs: [['a', long]], truncate: false }, ['input_too_long', 'inputs']],
    ['/classify', { input: long }, ['input_too_long', 'input']],
  ])('POST %s refuses %.60j with %j', async (path, ask, [code, param]) => {
    const failure = await reader.failure(path, ask);
    expect(failure).toMatchObject({ status: 400, code, param });
    expect(failure.message).toMatch(/^Cannot /);
  });

  test('names the type of a model of another one', async () => {
    const { message } = await reader.failure('/rerank', { ...body, model: EMBEDDER });
    expect(message).toContain(`"${EMBEDDER}" for rerank: its node is of the type embeddings`);
  });

  test('does not know a model that is not served', async () => {
    for (const path of ['/rerank', '/predict']) {
      const ask = { query: 'q', texts: ['a'], inputs: 'a', model: '__proto__' };
      const failure = await reader.failure(path, ask);
      expect(failure).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    }
  });

  test('takes what is at the limits, and cuts what is beyond when asked', async () => {
    const full = many.slice(1);
    expect(await reader.ask('/rerank', { query: '', texts: full })).toHaveLength(1024);
    expect(await reader.ask('/predict', { inputs: full })).toHaveLength(1024);
    const cut = { truncate: true, truncation_direction: 'LEFT' };
    expect(await reader.ask('/rerank', { query: 'q', texts: [long], ...cut })).toHaveLength(1);
    expect(await reader.ask('/predict', { inputs: [['a', long]], ...cut })).toHaveLength(1);
    expect(await reader.ask('/rerank', { query: '', texts: [''] })).toHaveLength(1);
  });

  test('refuses a body of more than 2,000,000 bytes on every route', async () => {
    const pad = 'a'.repeat(2_000_000);
    for (const path of ['/rerank', '/v3/rerank', '/predict', '/classify']) {
      const failure = await reader.failure(path, { query: pad });
      expect(failure).toMatchObject({ status: 413, code: 'body_too_large' });
    }
  });
});
