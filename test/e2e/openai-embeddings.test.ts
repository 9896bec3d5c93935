/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { AnswerReader } from '../support/answer-reader.ts';
import { maxDifference } from '../support/open-servable.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';

/** Of one text in other company. */
const BATCH_TOLERANCE = 1e-5;

interface List {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

describe('the OpenAI routes of the default server', () => {
  let server: ServerProcess;
  let reader: AnswerReader;
  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
  }, 60_000);
  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  describe('POST /v1/embeddings', () => {
    test('needs no model, and counts real tokens (B03)', async () => {
      const input = ['hello world', 'hello '.repeat(200)];
      const { data, model, usage } = (await reader.ask('/v1/embeddings', { input })) as List;
      expect(model).toBe(MODEL);
      expect(usage).toEqual({ prompt_tokens: 206, total_tokens: 206 });
      const vector = data[0]?.embedding ?? [];
      expect(maxDifference(vector.slice(0, 4), [-0.0345, 0.031, 0.0067, 0.0261])).toBeLessThan(
        1e-4,
      );
    });

    test('gives an empty text a vector of its own (B15)', async () => {
      const input = [
        'hello world',
        '',
        'volcano',
        '   ',
        '\n\n\n',
        '\u00a0',
        '\u0000',
        '\u200b',
        '',
      ];
      const { data } = (await reader.ask('/v1/embeddings', { input })) as List;
      expect(data).toHaveLength(input.length);
      const vectors = data.map(({ embedding }) => embedding);
      const empty = vectors[1] ?? [];
      expect(maxDifference(empty.slice(0, 4), [-0.1188, 0.0483, -0.0025, -0.011])).toBeLessThan(
        1e-4,
      );
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(vectors[8]).toEqual(empty);
      const alone = (await reader.ask('/v1/embeddings', { input: '' })) as List;
      expect(alone.usage.prompt_tokens).toBe(2);
    });

    test('reads special-token literals as the reference does, alone and in a batch (B19)', async () => {
      const input = [
        ...['foo [PAD] bar', 'foo [SEP] bar', '[CLS]', '[UNK]', '[MASK]', '<|endoftext|>'],
        ...['[pad] lower case', 'long '.repeat(300)],
      ];
      const { data } = (await reader.ask('/v1/embeddings', { input })) as List;
      const vector = data[0]?.embedding ?? [];
      expect(maxDifference(vector.slice(0, 4), [0.0274, -0.0291, 0.0297, -0.0007])).toBeLessThan(
        1e-4,
      );
      for (const [at, text] of input.entries()) {
        const alone = (await reader.ask('/v1/embeddings', { input: text })) as List;
        const one = alone.data[0]?.embedding ?? [];
        expect(maxDifference(one, data[at]?.embedding ?? [])).toBeLessThan(BATCH_TOLERANCE);
      }
      const { usage } = (await reader.ask('/v1/embeddings', { input: input.slice(0, 1) })) as List;
      expect(usage.prompt_tokens).toBe(5);
    });

    test('cuts to the wanted size and scales to length 1 again (B25)', async () => {
      const whole = (await reader.ask('/v1/embeddings', {
        input: 'hello world',
        dimensions: 384,
      })) as List;
      const full = whole.data[0]?.embedding ?? [];
      expect(full).toHaveLength(384);
      for (const dimensions of [128, 1]) {
        const { data } = (await reader.ask('/v1/embeddings', {
          input: 'hello world',
          dimensions,
        })) as List;
        const cut = data[0]?.embedding ?? [];
        const length = Math.hypot(...full.slice(0, dimensions));
        const expected = full.slice(0, dimensions).map((value) => value / length);
        expect(maxDifference(cut, expected)).toBeLessThan(1e-6);
      }
      for (const dimensions of [0, -1, 1.5, 385, '384']) {
        const refused = await reader.failure('/v1/embeddings', {
          input: 'hello world',
          dimensions,
        });
        expect(refused).toMatchObject({ status: 400, code: 'invalid_field', param: 'dimensions' });
      }
      const strict = await reader.failure('/v3/embeddings', {
        model: MODEL,
        input: 'x',
        dimensions: 128,
      });
      expect(strict).toMatchObject({ status: 400, param: 'dimensions' });
    });
  });

  describe('the context length', () => {
    test.each([
      ['/v1/embeddings', 'input'],
      ['/embed', 'inputs'],
      ['/embed_all', 'inputs'],
    ])('of 512 tokens passes on %s, and one more does not', async (path, field) => {
      expect((await reader.post(path, { [field]: ['a '.repeat(510)] })).status).toBe(200);
      const refused = await reader.failure(path, { [field]: ['ok', 'a '.repeat(511)] });
      expect(refused).toMatchObject({ status: 400, code: 'input_too_long', param: field });
      expect(refused.message).toMatch(/input 1: it has 513 tokens .* 512/);
    });
  });

  test('the API is described, and its page is served', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, object>>;
    };
    expect(Object.keys(document.paths)).toContain('/embed_all');
    const page = await (await fetch(`${server.url}/docs`)).text();
    expect(page).toContain('<script src="/docs/swagger-ui-bundle.js">');
    const script = await (await fetch(`${server.url}/docs/swagger-ui-bundle.js`)).text();
    expect(script).toContain('SwaggerUIBundle');
  });
});
