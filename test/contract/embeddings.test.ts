import { readFileSync } from 'node:fs';
import type { EmbeddingsServable, EmbedOptions, EmbedResult } from '../../src/graph/servable.ts';
import type { EmbeddingsOptions } from '../../src/graph/nodes/embeddings.ts';
import { admit } from '../../src/limits/admit.ts';
import { folderOf, maxDifference, openServable } from '../support/open-servable.ts';

interface Example {
  readonly text: string;
  readonly tokens: number;
  readonly pooled?: readonly number[];
  readonly embedding: readonly number[];
  readonly token_embeddings?: readonly (readonly number[])[];
}

interface Expected {
  readonly max_tokens: number;
  readonly inputs: readonly Example[];
  readonly long_inputs?: readonly (Omit<Example, 'text'> & {
    readonly unit: string;
    readonly count: number;
  })[];
}

const FIXTURES = [
  'tiny-bert-embeddings',
  'tiny-roberta-embeddings',
  'tiny-xlmr-unigram',
  'tiny-pooled',
  'tiny-long-context',
  'tiny-last-token',
];

/** Stated in each expected.json. */
const FIXTURE_TOLERANCE = 1e-4;

/** Of the normalized golden vectors, and of the token rows. Source: the contract. */
const GOLDEN_TOLERANCE = 2e-4;
const TOKEN_ROW_TOLERANCE = 2e-3;

/** The same text alone and in company. Source: the contract. */
const BATCH_TOLERANCE = 1e-5;

const MINILM = 'models/all-MiniLM-L6-v2';

let opened: EmbeddingsServable | undefined;

async function open(
  folder: string,
  options?: Partial<EmbeddingsOptions>,
): Promise<EmbeddingsServable> {
  opened = await openServable(folder, options);
  return opened;
}

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

function embed(
  model: EmbeddingsServable,
  inputs: readonly string[],
  options: Partial<EmbedOptions> = {},
): Promise<EmbedResult> {
  const scope = { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
  const batch = admit({ inputs, param: 'input' }, model.limits);
  return model.embed(batch, { output: 'pooled', param: 'input', scope, ...options });
}

function linesOf(file: string): readonly Example[] {
  const text = readFileSync(folderOf(`test/golden/${file}`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Example);
}

function expectRows(result: EmbedResult, examples: readonly Example[], tolerance: number): void {
  const promptTokens = examples.reduce((sum, { tokens }) => sum + tokens, 0);
  expect(result.promptTokens).toBe(promptTokens);
  const worst = examples.map(({ embedding }, at) =>
    maxDifference(result.embeddings[at]?.data ?? [], embedding),
  );
  expect(Math.max(...worst)).toBeLessThanOrEqual(tolerance);
}

describe.each(FIXTURES)('%s', (fixture) => {
  const expected = JSON.parse(
    readFileSync(folderOf(`test/fixtures/${fixture}/expected.json`), 'utf8'),
  ) as Expected;
  const texts = expected.inputs.map(({ text }) => text);
  const folder = `test/fixtures/${fixture}`;

  test('has the reference embeddings, alone and in one request', async () => {
    const model = await open(folder);
    expect(model.limits.contextLength).toBe(expected.max_tokens);
    expect(model.dimensions).toBe(expected.inputs[0]?.embedding.length);
    for (const example of expected.inputs) {
      expectRows(await embed(model, [example.text]), [example], FIXTURE_TOLERANCE);
    }
    expectRows(await embed(model, texts), expected.inputs, FIXTURE_TOLERANCE);
  });

  test('has the reference vectors before normalization', async () => {
    const model = await open(folder);
    const { embeddings } = await embed(model, texts, { normalize: false });
    expected.inputs.forEach(({ pooled, embedding }, at) => {
      const data = embeddings[at]?.data ?? [];
      expect(maxDifference(data, pooled ?? embedding)).toBeLessThanOrEqual(FIXTURE_TOLERANCE);
    });
  });

  test('has the reference token rows', async () => {
    const model = await open(folder);
    const { embeddings } = await embed(model, texts, { output: 'tokens' });
    expected.inputs.forEach(({ tokens, token_embeddings: rows }, at) => {
      expect(embeddings[at]?.shape).toEqual([tokens, model.dimensions]);
      if (!rows) return;
      const data = embeddings[at]?.data ?? [];
      expect(maxDifference(data, rows.flat())).toBeLessThanOrEqual(FIXTURE_TOLERANCE);
    });
  });

  test('has the reference embeddings of long inputs', async () => {
    const model = await open(folder);
    for (const { unit, count, ...example } of expected.long_inputs ?? []) {
      const text = unit.repeat(count);
      expectRows(await embed(model, [text]), [{ text, ...example }], FIXTURE_TOLERANCE);
    }
    expect(expected.long_inputs === undefined).toBe(fixture !== 'tiny-long-context');
  });
});

describe('all-MiniLM-L6-v2', () => {
  const golden = linesOf('golden-minilm.jsonl');

  test('has the golden vectors, one by one', async () => {
    const model = await open(MINILM);
    for (const example of golden) {
      expectRows(await embed(model, [example.text]), [example], GOLDEN_TOLERANCE);
    }
  });

  test('has the golden vectors in one request, within the batch tolerance of the text alone', async () => {
    const model = await open(MINILM);
    const texts = golden.map(({ text }) => text);
    const together = await embed(model, texts);
    expectRows(together, golden, GOLDEN_TOLERANCE);
    for (const [at, text] of texts.entries()) {
      const alone = await embed(model, [text]);
      const difference = maxDifference(
        alone.embeddings[0]?.data ?? [],
        together.embeddings[at]?.data ?? [],
      );
      expect(difference).toBeLessThanOrEqual(BATCH_TOLERANCE);
    }
  });

  test('has the golden token rows', async () => {
    const model = await open(MINILM);
    const examples = linesOf('golden-minilm-tokens.jsonl');
    const texts = examples.map(({ text }) => text);
    const { embeddings } = await embed(model, texts, { output: 'tokens' });
    examples.forEach(({ tokens, token_embeddings: rows = [] }, at) => {
      expect(embeddings[at]?.shape).toEqual([tokens, 384]);
      const difference = maxDifference(embeddings[at]?.data ?? [], rows.flat());
      expect(difference).toBeLessThanOrEqual(TOKEN_ROW_TOLERANCE);
    });
  });

  test('gives equal texts of a request one and the same vector, and counts each', async () => {
    const model = await open(MINILM);
    const result = await embed(model, ['hello world', 'volcano', 'hello world']);
    expect(result.embeddings[2]?.data).toBe(result.embeddings[0]?.data);
    expect(result.promptTokens).toBe(11);
  });

  test('refuses a text of one token more than the context length, and takes the one at it', async () => {
    const model = await open(MINILM);
    const { promptTokens } = await embed(model, ['a '.repeat(510)]);
    expect(promptTokens).toBe(512);
    await expect(embed(model, ['ok', 'a '.repeat(511)])).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'input',
      message: expect.stringMatching(/input 1: it has 513 tokens .* 512/) as unknown,
    });
  });

  test('cuts a text that is too long only when asked', async () => {
    const model = await open(MINILM, { truncate: true });
    const { promptTokens, embeddings } = await embed(model, ['a '.repeat(600)]);
    const exact = await embed(model, ['a '.repeat(510)]);
    expect(promptTokens).toBe(512);
    expect(embeddings[0]?.data).toEqual(exact.embeddings[0]?.data);
    const never = embed(model, ['a '.repeat(600)], { truncate: 'never' });
    await expect(never).rejects.toMatchObject({ code: 'input_too_long' });
  });

  test.each([
    ['CLS', { pooling: 'CLS' }],
    ['LAST', { pooling: 'LAST' }],
  ] as const)('pools by %s when configured', async (_name, options) => {
    const model = await open(MINILM, options);
    const { embeddings } = await embed(model, ['hello world'], { normalize: false });
    const tokens = await embed(model, ['hello world'], { output: 'tokens' });
    const rows = tokens.embeddings[0]?.data ?? new Float32Array();
    const row = options.pooling === 'CLS' ? rows.subarray(0, 384) : rows.subarray(-384);
    expect(embeddings[0]?.data).toEqual(row);
  });
});

describe('a model that cannot be served', () => {
  test('is refused for a max_length above its context length', async () => {
    const opening = open(MINILM, { maxLength: 1024 });
    await expect(opening).rejects.toMatchObject({
      fault: 'config',
      message: expect.stringMatching(/^max_length: must be at most 512.*not 1024$/) as unknown,
    });
  });

  test('is refused for a max_length that leaves no room for text', async () => {
    const opening = open(MINILM, { maxLength: 2 });
    await expect(opening).rejects.toThrow(/^max_length: must be more than 2, .*not 2$/);
  });

  test('is refused for the tokenizer of another model', async () => {
    const opening = open('test/fixtures/tiny-bert-embeddings', {
      tokenizer: { file: '../../../models/all-MiniLM-L6-v2/tokenizer.json', engine: 'tokenizers' },
    });
    await expect(opening).rejects.toThrow(
      /^tokenizer\.file: has 30522 tokens, and the model knows 596/,
    );
  });

  test('is refused for a file that is no ONNX', async () => {
    const opening = open(MINILM, { modelFile: 'config.json' });
    await expect(opening).rejects.toThrow(/^model_file: the ONNX file cannot be loaded: /);
  });

  test('is refused for an output that embeddings cannot be made of', async () => {
    const opening = open('test/fixtures/tiny-reranker');
    await expect(opening).rejects.toThrow(/^model_file: has no output .*"logits" \(rank 2\)/);
  });
});
