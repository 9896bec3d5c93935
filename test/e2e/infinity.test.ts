/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import {
  AnswerReader,
  ENCODED,
  MEDIA_TYPES,
  numbersOf,
  rowsOf,
  type SentTensor,
} from '../support/answer-reader.ts';
import { folderOf, maxDifference } from '../support/open-servable.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const DIMENSIONS = 384;

/** Of the normalized vectors and of the token rows, and of one text in other company. Source: the golden files. */
const TOLERANCE = 2e-4;
const TOKEN_ROW_TOLERANCE = 2e-3;
const BATCH_TOLERANCE = 1e-5;

interface Golden {
  readonly text: string;
  readonly embedding: readonly number[];
}

interface GoldenTokens extends Golden {
  readonly tokens: number;
  readonly token_embeddings: readonly (readonly number[])[];
}

function linesOf(file: string): readonly unknown[] {
  const text = readFileSync(folderOf(`test/golden/${file}`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const GOLDEN = linesOf('golden-minilm.jsonl') as readonly Golden[];
const GOLDEN_TOKENS = linesOf('golden-minilm-tokens.jsonl') as readonly GoldenTokens[];

describe('the Infinity routes of the default server', () => {
  let server: ServerProcess;
  let reader: AnswerReader;
  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
  }, 60_000);
  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  async function matricesOf(inputs: string | readonly string[]): Promise<readonly SentTensor[]> {
    const body = { inputs, encoding_format: 'tensor' };
    return (await reader.ask('/embed_all', body)) as readonly SentTensor[];
  }

  describe('POST /embed_all', () => {
    const texts = GOLDEN_TOKENS.map(({ text }) => text);

    test.each(ENCODED)('gives the golden token matrices as %s', async (encoding) => {
      const list = (await reader.ask('/embed_all', {
        inputs: texts,
        encoding_format: encoding,
      })) as unknown[];
      expect(list).toHaveLength(texts.length);
      GOLDEN_TOKENS.forEach(({ tokens, token_embeddings: expected }, at) => {
        const rows = rowsOf(list[at], encoding);
        expect(rows).toHaveLength(tokens);
        rows.forEach((row, token) => {
          expect(maxDifference(row, expected[token] ?? [])).toBeLessThanOrEqual(
            TOKEN_ROW_TOLERANCE,
          );
        });
      });
    });

    test('gives the same bits in every encoding and on every wire', async () => {
      const lists = await Promise.all(
        MEDIA_TYPES.flatMap((accept) =>
          ENCODED.map(async (encoding) => {
            const body = { inputs: texts, encoding_format: encoding };
            const list = (await reader.ask('/embed_all', body, accept)) as unknown[];
            return list.map((item) => rowsOf(item, encoding));
          }),
        ),
      );
      for (const rows of lists) expect(rows).toEqual(lists[0]);
    });

    test('has no padding, whatever tokenizer.json says (B03)', async () => {
      const inputs = ['hello world', 'hello'];
      const list = await matricesOf(inputs);
      expect(list.map(({ shape }) => shape)).toEqual([
        [4, DIMENSIONS],
        [3, DIMENSIONS],
      ]);
      const lengths = list.map(({ data }) => Buffer.from(data as string, 'base64').length);
      expect(lengths).toEqual([6144, 4608]);
      expect(list[0]).toMatchObject({ dtype: 'float32', data_encoding: 'base64' });
    });

    test('gives a list of one for a string', async () => {
      const list = await matricesOf('hello');
      expect(list.map(({ shape }) => shape)).toEqual([[3, DIMENSIONS]]);
    });

    test('keeps the order of mixed lengths and duplicates', async () => {
      const words = ['a', 'hello world', '', 'one two three four five', 'hello '.repeat(200)];
      const inputs = Array.from({ length: 40 }, (_, at) => words[(at * 7) % words.length] ?? '');
      const list = await matricesOf(inputs);
      const alone = new Map<string, Float32Array>();
      for (const text of words) {
        const [only] = await matricesOf(text);
        alone.set(text, numbersOf(only, 'tensor'));
      }
      inputs.forEach((text, at) => {
        const difference = maxDifference(numbersOf(list[at], 'tensor'), alone.get(text) ?? []);
        // Token rows are not normalized, and about ten times as long.
        expect(difference).toBeLessThanOrEqual(10 * BATCH_TOLERANCE);
      });
    });

    test('takes empty texts and special-token literals for texts (B15, B19)', async () => {
      const inputs = ['', 'hello', 'foo [PAD] bar'];
      const list = await matricesOf(inputs);
      expect(list.map(({ shape }) => shape)).toEqual(
        [2, 3, 5].map((tokens) => [tokens, DIMENSIONS]),
      );
    });

    test('refuses an answer of more than 256 MiB before it is computed', async () => {
      const inputs = Array.from({ length: 342 }, (_, at) => `${at} ${'a '.repeat(509)}`);
      const { status, code, param, message } = await reader.failure('/embed_all', { inputs });
      expect([status, code, param]).toEqual([400, 'answer_too_large', 'inputs']);
      expect(message).toContain(
        'limit of an answer is 268435456 bytes; send at most 174762 tokens',
      );
    });
  });

  describe('POST /embed', () => {
    const examples = GOLDEN.slice(0, 30);
    const inputs = examples.map(({ text }) => text);

    test.each(ENCODED)('gives the golden vectors as %s, on both wires', async (encoding) => {
      const body = { inputs, encoding_format: encoding };
      const [list = [], packed = []] = await Promise.all(
        MEDIA_TYPES.map(async (accept) => {
          const answer = (await reader.ask('/embed', body, accept)) as readonly unknown[];
          return answer.map((item) => numbersOf(item, encoding));
        }),
      );
      expect(packed).toEqual(list);
      examples.forEach(({ embedding }, at) => {
        expect(maxDifference(list[at] ?? [], embedding)).toBeLessThanOrEqual(TOLERANCE);
      });
    });

    test('gives vectors as the model computes them, if asked', async () => {
      const [raw = []] = (await reader.ask('/embed', {
        inputs: 'hello world',
        normalize: false,
      })) as number[][];
      const [unit = []] = (await reader.ask('/embed', {
        inputs: 'hello world',
        normalize: true,
      })) as number[][];
      const length = Math.hypot(...raw);
      expect(Math.abs(length - 1)).toBeGreaterThan(0.1);
      const scaled = raw.map((value) => value / length);
      expect(maxDifference(scaled, unit)).toBeLessThan(BATCH_TOLERANCE);
      const body = { inputs: 'hello world', normalize: false, dimensions: 10 };
      expect((await reader.ask('/embed', body)) as number[][]).toEqual([raw.slice(0, 10)]);
    });

    test('cuts a text if asked, at either end, and never if told so', async () => {
      const words = Array.from({ length: 600 }, (_, at) => (at < 300 ? 'hello' : 'volcano'));
      const long = words.join(' ');
      async function vectorOf(fields: object): Promise<number[]> {
        const [vector = []] = (await reader.ask('/embed', {
          inputs: long,
          ...fields,
        })) as number[][];
        return vector;
      }
      const start = await vectorOf({ inputs: words.slice(0, 510).join(' ') });
      const end = await vectorOf({ inputs: words.slice(-510).join(' ') });
      expect(maxDifference(start, end)).toBeGreaterThan(1e-3);
      const right = await vectorOf({ truncate: true });
      expect(maxDifference(right, start)).toBeLessThan(BATCH_TOLERANCE);
      const left = await vectorOf({ truncate: true, truncation_direction: 'LEFT' });
      expect(maxDifference(left, end)).toBeLessThan(BATCH_TOLERANCE);
      for (const truncate of [false, null]) {
        const { status, code } = await reader.failure('/embed', { inputs: long, truncate });
        expect([status, code]).toEqual([400, 'input_too_long']);
      }
    });
  });
});
