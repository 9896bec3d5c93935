/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import {
  AnswerReader,
  ENCODED,
  MEDIA_TYPES,
  numbersOf,
  type EncodedAs,
} from '../support/answer-reader.ts';
import { maxDifference } from '../support/open-servable.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';

/** Of one text in other company. */
const BATCH_TOLERANCE = 1e-5;

/** Mixed lengths, and some texts more than once. */
const WORDS = ['a', 'hello world', '', 'one two three four five', 'hello '.repeat(100)];
const TEXTS = Array.from({ length: 33 }, (_, at) => WORDS[(at * 7) % WORDS.length] ?? '');

interface List {
  readonly data: readonly { readonly index: number; readonly embedding: unknown }[];
}

describe('the default server', () => {
  let server: ServerProcess;
  let reader: AnswerReader;

  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  describe.each([
    ['/v3/embeddings', ['float', 'base64']],
    ['/v1/embeddings', ENCODED],
    ['/embeddings', ENCODED],
    ['/v3/v1/embeddings', ENCODED],
  ] as const)('POST %s', (path, encodings) => {
    async function vectorsOf(
      input: string | readonly string[],
      encoding: EncodedAs,
      accept: string,
    ): Promise<readonly Float32Array[]> {
      const body = { model: MODEL, input, encoding_format: encoding };
      const { data } = (await reader.ask(path, body, accept)) as List;
      expect(data.map(({ index }) => index)).toEqual(data.map((_item, at) => at));
      return data.map(({ embedding }) => numbersOf(embedding, encoding));
    }

    test('gives the same bits in every encoding and on every wire', async () => {
      const lists: (readonly Float32Array[])[] = [];
      // One after the other, so that no request is computed together with another one.
      for (const encoding of encodings) {
        for (const accept of MEDIA_TYPES) lists.push(await vectorsOf(WORDS, encoding, accept));
      }
      expect(lists[0]).toHaveLength(WORDS.length);
      for (const list of lists) expect(list).toEqual(lists[0]);
    });

    test('keeps the order of mixed lengths and duplicates', async () => {
      const alone = new Map<string, Float32Array>();
      for (const text of WORDS) {
        const [vector] = await vectorsOf(text, 'base64', 'application/json');
        if (vector !== undefined) alone.set(text, vector);
      }
      const list = await vectorsOf(TEXTS, 'float', 'application/msgpack');
      TEXTS.forEach((text, at) => {
        const difference = maxDifference(list[at] ?? [], alone.get(text) ?? []);
        expect(difference).toBeLessThanOrEqual(BATCH_TOLERANCE);
        expect(list[at]).toEqual(list[TEXTS.indexOf(text)]);
      });
    });
  });
});
