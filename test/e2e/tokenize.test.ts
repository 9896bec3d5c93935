/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { AnswerReader } from '../support/answer-reader.ts';
import { folderOf } from '../support/open-servable.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';

interface Golden {
  readonly text: string;
  readonly ids: readonly number[];
}

const GOLDEN = readFileSync(folderOf('test/golden/golden-minilm.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden);

describe('the tokenize routes of the default server', () => {
  let server: ServerProcess;
  let reader: AnswerReader;
  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
  }, 60_000);
  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  describe('POST /v3/tokenize', () => {
    interface Tokens {
      readonly tokens: readonly number[] | readonly (readonly number[])[];
    }

    test('gives the golden ids', async () => {
      const text = GOLDEN.map((row) => row.text);
      const { tokens } = (await reader.ask('/v3/tokenize', { model: MODEL, text })) as Tokens;
      expect(tokens).toEqual(GOLDEN.map(({ ids }) => ids));
      const packed = (await reader.ask(
        '/tokenize',
        { inputs: text },
        'application/msgpack',
      )) as Tokens;
      expect(packed.tokens).toEqual(tokens);
    });

    test('gives a list for a string, without special tokens if asked, and cut if asked', async () => {
      const text = 'hello world';
      expect(((await reader.ask('/v3/tokenize', { text })) as Tokens).tokens).toEqual([
        101, 7592, 2088, 102,
      ]);
      const plain = (await reader.ask('/v3/tokenize', {
        text,
        add_special_tokens: false,
      })) as Tokens;
      expect(plain.tokens).toEqual([7592, 2088]);
      const cut = (await reader.ask('/v3/tokenize', { text, max_length: 3 })) as Tokens;
      expect(cut.tokens).toEqual([101, 7592, 102]);
    });

    test('gives the tokens of a text that is too long to embed, up to 32,768', async () => {
      const { tokens } = (await reader.ask('/tokenize', { text: 'a '.repeat(32_766) })) as Tokens;
      expect(tokens).toHaveLength(32_768);
      const refused = await reader.failure('/tokenize', { text: ['', 'a '.repeat(32_767)] });
      expect(refused).toMatchObject({ status: 400, code: 'input_too_long', param: 'text' });
      const dots = (await reader.ask('/tokenize', {
        text: '.'.repeat(1_900_000),
        max_length: 8,
      })) as Tokens;
      expect(dots.tokens).toEqual([101, ...Array.from({ length: 6 }, () => 1012), 102]);
    });

    async function idsOf(text: string): Promise<readonly number[]> {
      const { tokens } = (await reader.ask('/v3/tokenize', { text })) as Tokens;
      return tokens as readonly number[];
    }

    test.each([
      ['caf\u00e9 na\u00efve', [101, 7668, 15743, 102]],
      ['cafe\u0301 nai\u0308ve', [101, 7668, 15743, 102]],
      [
        'constructor toString __proto__ hasOwnProperty',
        [
          ...[101, 9570, 2953, 2000, 3367, 4892, 1035, 1035, 15053, 1035, 1035, 2038, 12384, 21572],
          ...[4842, 3723, 102],
        ],
      ],
    ])('gives %j the ids of the reference (B13, B21)', async (text, ids) => {
      expect(await idsOf(text)).toEqual(ids);
    });

    test.each([
      ['\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3', 10, [29735, 29733, 102]],
      ['\u039f\u0394\u039f\u03a3 \u039f\u0394\u039f\u03a3.', 11, [29733, 1012, 102]],
      ['price$5+tax=6', 9, [102]],
      ['x'.repeat(100), 52, [102]],
      ['x'.repeat(101), 3, [100, 102]],
    ])('gives %j the tokens of the reference (B13)', async (text, tokens, end) => {
      const ids = await idsOf(text);
      expect(ids).toHaveLength(tokens);
      expect(ids.slice(-end.length)).toEqual(end);
    });

    test('reads a line break as a space (B13)', async () => {
      expect(await idsOf('one\nline')).toEqual(await idsOf('one line'));
    });
  });
});
