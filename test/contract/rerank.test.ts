import { EMBEDDINGS } from '../../src/graph/nodes/embeddings.ts';
import { RERANK } from '../../src/graph/nodes/rerank.ts';
import type { RerankOptions } from '../../src/graph/nodes/rerank.ts';
import type { ModelOptions } from '../../src/graph/nodes/options.ts';
import type { RerankServable, ScoreOptions, ScoreResult } from '../../src/graph/servable.ts';
import { admit } from '../../src/limits/admit.ts';
import { maxDifference, openNode } from '../support/open-servable.ts';
import {
  CLASSIFIER_FOLDER,
  RERANKER,
  RERANKER_FOLDER,
  tokensOf,
} from '../support/score-fixtures.ts';

const MINILM = 'models/all-MiniLM-L6-v2';

/** The same pair alone and in company. Source: the contract. */
const BATCH_TOLERANCE = 1e-5;

const opened: { readonly close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

async function open(
  folder: string,
  options: Partial<RerankOptions & ModelOptions> = {},
): Promise<RerankServable> {
  const model = await openNode(RERANK, folder, { scoring: 'logits', ...options });
  opened.push(model);
  return model;
}

function scope(): ScoreOptions['scope'] {
  return { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
}

function score(
  model: RerankServable,
  [query, documents]: readonly [string, readonly string[]],
  options: Partial<ScoreOptions> = {},
): Promise<ScoreResult> {
  const batch = admit({ inputs: documents, param: 'texts' }, model.limits);
  return model.score(query, batch, { param: 'texts', raw: false, scope: scope(), ...options });
}

describe('tiny-reranker', () => {
  test.each(['tokenizers', 'xenova'] as const)(
    'has the reference scores, alone and in one request, with the engine %s',
    async (engine) => {
      const model = await open(RERANKER_FOLDER, { tokenizer: { file: 'tokenizer.json', engine } });
      expect(model.limits.contextLength).toBe(RERANKER.max_tokens);
      for (const { query, documents } of RERANKER.queries) {
        const texts = documents.map(({ text }) => text);
        const together = await score(model, [query, texts]);
        const scores = documents.map((document) => document.score);
        expect(maxDifference(together.scores, scores)).toBeLessThanOrEqual(RERANKER.tolerance);
        expect(together.promptTokens).toBe(tokensOf(documents));
        for (const [at, text] of texts.entries()) {
          const alone = await score(model, [query, [text]]);
          const wanted = [documents[at]?.score ?? NaN];
          expect(maxDifference(alone.scores, wanted)).toBeLessThanOrEqual(RERANKER.tolerance);
          const difference = Math.abs((alone.scores[0] ?? NaN) - (together.scores[at] ?? NaN));
          expect(difference).toBeLessThanOrEqual(BATCH_TOLERANCE);
        }
      }
    },
  );

  test('has the reference logits as raw scores', async () => {
    const model = await open(RERANKER_FOLDER);
    for (const { query, documents } of RERANKER.queries) {
      const texts = documents.map(({ text }) => text);
      const { scores } = await score(model, [query, texts], { raw: true });
      const logits = documents.map(({ logit }) => logit);
      expect(maxDifference(scores, logits)).toBeLessThanOrEqual(RERANKER.tolerance);
    }
  });

  test('scores all queries at once, each by its own documents', async () => {
    const model = await open(RERANKER_FOLDER);
    const results = await Promise.all(
      RERANKER.queries.map(({ query, documents }) =>
        score(model, [query, documents.map(({ text }) => text)]),
      ),
    );
    RERANKER.queries.forEach(({ documents }, at) => {
      const scores = documents.map((document) => document.score);
      const actual = results[at]?.scores ?? [];
      expect(maxDifference(actual, scores)).toBeLessThanOrEqual(RERANKER.tolerance);
    });
  });

  test('takes an empty query and an empty document', async () => {
    const model = await open(RERANKER_FOLDER);
    const { scores, promptTokens } = await score(model, ['', ['']]);
    expect(scores[0]).toBeGreaterThan(0);
    // [CLS] [SEP] [SEP]
    expect(promptTokens).toBe(3);
  });

  test('cuts documents and never the query', async () => {
    const model = await open(RERANKER_FOLDER);
    const query = 'a '.repeat(60).trim();
    const { promptTokens: withoutDocument } = await score(model, [query, ['']]);
    const room = model.limits.contextLength - withoutDocument;
    const document = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? 'a' : 'b'));
    const first = document.slice(0, room).join(' ');
    const last = document.slice(-room).join(' ');
    const whole = document.join(' ');
    await expect(score(model, [query, [whole]])).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'texts',
    });
    const exact = await score(model, [query, [first, last]]);
    expect(exact.promptTokens).toBe(2 * model.limits.contextLength);
    expect(exact.scores[0]).not.toBe(exact.scores[1]);
    const right = await score(model, [query, [whole]], { truncate: 'right' });
    const left = await score(model, [query, [whole]], { truncate: 'left' });
    expect(right.promptTokens).toBe(model.limits.contextLength);
    expect(right.scores[0]).toBeCloseTo(exact.scores[0] ?? NaN, 5);
    expect(left.scores[0]).toBeCloseTo(exact.scores[1] ?? NaN, 5);
  });

  test('cuts as the node is configured, at the end that the request names', async () => {
    const model = await open(RERANKER_FOLDER, { truncate: true });
    const texts = [`${'a '.repeat(300)} end`];
    const right = await score(model, ['q', texts]);
    const left = await score(model, ['q', texts], { side: 'left' });
    expect(right.promptTokens).toBe(model.limits.contextLength);
    expect(right.scores[0]).not.toBe(left.scores[0]);
    await expect(score(model, ['q', texts], { truncate: 'never' })).rejects.toMatchObject({
      code: 'input_too_long',
    });
  });

  test('takes a query that fills the context, and refuses one of a token more, cut or not', async () => {
    const model = await open(RERANKER_FOLDER);
    const { contextLength } = model.limits;
    const most = 'a '.repeat(contextLength - 3);
    expect((await score(model, [most, ['']])).promptTokens).toBe(contextLength);
    for (const options of [{}, { truncate: 'right' }, { truncate: 'left' }] as const) {
      await expect(score(model, [`${most} a`, ['b']], options)).rejects.toMatchObject({
        code: 'input_too_long',
        param: 'query',
        message: expect.stringMatching(/^Cannot .*129 tokens .*128; shorten the query/) as unknown,
      });
    }
  });

  test('refuses a long query without tokenizing all of it', async () => {
    const model = await open(RERANKER_FOLDER);
    const query = 'a '.repeat(500_000);
    await expect(score(model, [query, ['b']], { truncate: 'right' })).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'query',
      message: expect.stringContaining('at least') as unknown,
    });
  });

  test('refuses a query of many characters and few tokens for very many documents', async () => {
    const model = await open(RERANKER_FOLDER);
    const query = ' '.repeat(100_000);
    expect((await score(model, [query, ['a', 'b']])).scores).toHaveLength(2);
    const documents = Array.from({ length: 81 }, (_, at) => `a ${at}`);
    await expect(score(model, [query, documents])).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'query',
    });
  });

  test('counts documents against the limits', async () => {
    const model = await open(RERANKER_FOLDER, { maxBatchSize: 2 });
    expect((await score(model, ['q', ['a', 'b']])).scores).toHaveLength(2);
    expect(() => admit({ inputs: ['a', 'b', 'c'], param: 'texts' }, model.limits)).toThrow(
      /3 inputs .*max_batch_size is 2/,
    );
  });
});

describe('scoring: cosine', () => {
  const query = 'where do volcanoes erupt?';
  const documents = ['Lava flows from a volcano.', 'A recipe for bread.', query, ''];

  test('scores by the embeddings of the model, marked as such', async () => {
    const model = await open(MINILM, { scoring: 'cosine' });
    expect(model.facts.fields).toEqual({ scoring: 'cosine' });
    const embedder = await openNode(EMBEDDINGS, MINILM, { normalizeEmbeddings: true });
    opened.push(embedder);
    const batch = admit({ inputs: [query, ...documents], param: 'input' }, embedder.limits);
    const embedded = await embedder.embed(batch, {
      output: 'pooled',
      param: 'input',
      scope: scope(),
    });
    const [first, ...others] = embedded.embeddings.map(({ data }) => data);
    const cosines = others.map((other) =>
      other.reduce((sum, value, at) => sum + value * (first?.[at] ?? NaN), 0),
    );
    const raw = await score(model, [query, documents], { raw: true });
    expect(maxDifference(raw.scores, cosines)).toBeLessThanOrEqual(BATCH_TOLERANCE);
    const { scores, promptTokens } = await score(model, [query, documents]);
    const moved = cosines.map((value) => (value + 1) / 2);
    expect(maxDifference(scores, moved)).toBeLessThanOrEqual(BATCH_TOLERANCE);
    expect(scores[2]).toBeCloseTo(1, 5);
    expect(scores[0]).toBeGreaterThan(scores[1] ?? NaN);
    // The query is read once.
    expect(promptTokens).toBe(embedded.promptTokens);
  });

  test('cuts documents and never the query', async () => {
    const model = await open(MINILM, { scoring: 'cosine' });
    const long = 'a '.repeat(600);
    await expect(score(model, ['q', ['ok', long]])).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'texts',
      message: expect.stringContaining('input 1') as unknown,
    });
    const { promptTokens } = await score(model, ['q', [long]], { truncate: 'right' });
    expect(promptTokens).toBe(512 + 3);
    await expect(score(model, [long, ['d']], { truncate: 'right' })).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'query',
      message: expect.stringMatching(/602 tokens .*512; shorten the query/) as unknown,
    });
  });
});

describe('a model that cannot rerank', () => {
  test('is refused where it embeds, with what would make it rerank', async () => {
    await expect(open(MINILM)).rejects.toMatchObject({
      fault: 'config',
      message: expect.stringMatching(
        /^model_file: has no output that scores .*"last_hidden_state" \(rank 3\).*scoring: cosine/,
      ) as unknown,
    });
  });

  test('is refused where it has three labels', async () => {
    await expect(open(CLASSIFIER_FOLDER)).rejects.toMatchObject({
      fault: 'config',
      message: expect.stringMatching(/^model_file: gives 3 scores .*type: classify/) as unknown,
    });
  });

  test('is refused where its embeddings are to be compared and it has none', async () => {
    await expect(open(RERANKER_FOLDER, { scoring: 'cosine' })).rejects.toThrow(
      /^model_file: has no output that embeddings can be made of/,
    );
  });

  test('is refused with pooling where nothing is pooled', async () => {
    await expect(open(RERANKER_FOLDER, { pooling: 'MEAN' })).rejects.toThrow(
      'pooling: is only for scoring: cosine',
    );
  });
});
