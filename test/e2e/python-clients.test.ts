/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { AnswerReader, numbersOf, rowsOf } from '../support/answer-reader.ts';
import { expectOrdered, manyTexts, type ManyTexts } from '../support/many-texts.ts';
import { folderOf } from '../support/open-servable.ts';
import { describePython, runPython } from '../support/python.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const TEXTS = ['hello world', '', 'volcano', 'hello world'];
const TOKENS = 13;

/** A Python block of a page, and the variable that it leaves. */
interface Example {
  readonly page: string;
  readonly name: string;
  readonly code: string;
}

/** What test/python/run_example.py prints. */
interface Left {
  readonly isList: boolean;
  readonly arrays: readonly {
    readonly shape: readonly number[];
    readonly dtype: string;
    readonly owndata: boolean;
    readonly numbers: readonly number[];
  }[];
}

const EXAMPLES = ['README.md', 'docs/compatibility.md'].flatMap((page): Example[] => {
  const text = readFileSync(folderOf(page), 'utf8');
  const blocks = text.matchAll(/(?:<!-- example (\w+) -->\n)?```python\n(.*?)```/gs);
  return Array.from(blocks, ([, name = '', code = '']) => ({ page, name, code }));
});

describePython('Python clients', () => {
  let server: ServerProcess;
  let reader: AnswerReader;

  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  async function vectorsOf(inputs: readonly string[]): Promise<readonly Float32Array[]> {
    const list = (await reader.ask('/embed', { inputs })) as readonly unknown[];
    return list.map((vector) => numbersOf(vector, 'float'));
  }

  /** What an example leaves, run as it stands but for the port. */
  async function run({ code, name }: Example): Promise<Left> {
    return (await runPython('run_example', [
      code.replaceAll('localhost:8000', `127.0.0.1:${server.port}`),
      name,
    ])) as Left;
  }

  describe('examples of the docs', () => {
    test('are all run', () => {
      expect(EXAMPLES.map(({ page, name }) => `${page} ${name}`)).toEqual([
        'README.md vectors',
        'docs/compatibility.md vectors',
        'docs/compatibility.md embedding',
        'docs/compatibility.md embedding',
        'docs/compatibility.md matrices',
        'docs/compatibility.md embeddings',
      ]);
    });

    test.each(EXAMPLES.filter(({ name }) => name === 'vectors'))(
      'embed by an SDK: $page',
      async (example) => {
        const { arrays, isList } = await run(example);
        expect(isList).toBe(true);
        const vectors = await vectorsOf(['hello', 'world']);
        expect(arrays.map(({ numbers }) => Float32Array.from(numbers))).toEqual(vectors);
      },
    );

    test.each(EXAMPLES.filter(({ name }) => name === 'embedding'))(
      'give a vector as an array that is a view: $page',
      async (example) => {
        const { arrays, isList } = await run(example);
        const [vector] = await vectorsOf(['hello']);
        expect(isList).toBe(false);
        const [{ numbers, ...array } = { numbers: [] }] = arrays;
        expect(array).toEqual({ shape: [384], dtype: 'float32', owndata: false });
        expect(Float32Array.from(numbers)).toEqual(vector);
      },
    );

    test.each(EXAMPLES.filter(({ name }) => name === 'matrices'))(
      'give token matrices as a list of arrays: $page',
      async (example) => {
        const { arrays, isList } = await run(example);
        expect(isList).toBe(true);
        expect(arrays.map(({ shape, owndata }) => [shape, owndata])).toEqual([[[3, 384], false]]);
        const [matrix] = (await reader.ask('/embed_all', { inputs: 'hello' })) as unknown[];
        const rows = rowsOf(matrix, 'float').map((row) => [...row]);
        expect(Float32Array.from(arrays[0]?.numbers ?? [])).toEqual(Float32Array.from(rows.flat()));
      },
    );

    test.each(EXAMPLES.filter(({ name }) => name === 'embeddings'))(
      'embed by .numpy(): $page',
      async (example) => {
        const { arrays } = await run(example);
        const [{ numbers, shape, dtype } = { numbers: [], shape: [], dtype: '' }] = arrays;
        expect([shape, dtype]).toEqual([[2, 384], 'float32']);
        const vectors = (await vectorsOf(['hello', 'world'])).map((vector) => [...vector]);
        expect(Float32Array.from(numbers)).toEqual(Float32Array.from(vectors.flat()));
      },
    );
  });

  describe('baseten-performance-client', () => {
    interface Answer {
      readonly vectors: readonly (readonly number[] | string)[];
      readonly array: { readonly shape: readonly number[]; readonly dtype: string } | null;
      readonly indices: readonly number[];
      readonly model: string;
      readonly tokens: readonly number[];
      readonly headers: readonly Readonly<Record<string, string>>[];
    }

    let many: ManyTexts;
    beforeAll(async () => {
      many = await manyTexts(reader);
    }, 60_000);

    test.each([
      [1, 'float', null],
      [2, 'base64', null],
      [1, 'base64', 'application/json'],
      [2, 'float', 'application/json'],
    ])('embeds 1,000 texts in order: HTTP/%i, %s, Accept %p', async (http, encoding, accept) => {
      const { texts, tokens } = many;
      const call = { texts, model: MODEL, encoding, accept, http_version: http };
      const answer = (await runPython('embed', [
        'baseten',
        server.url,
        JSON.stringify(call),
      ])) as Answer;
      expect(answer.model).toBe(MODEL);
      expect(answer.tokens).toEqual([tokens, tokens]);
      expect(answer.indices).toEqual(texts.map((_text, at) => at));
      expectOrdered(
        answer.vectors.map((vector) => numbersOf(vector, 'float')),
        many,
      );
      const array = { shape: [texts.length, 384], dtype: 'float32' };
      expect(answer.array).toEqual(encoding === 'float' ? array : null);
      expect(answer.headers).toHaveLength(Math.ceil(texts.length / 8));
      const types = new Set(answer.headers.map((headers) => headers['content-type']));
      expect([...types]).toEqual([accept ?? 'application/msgpack']);
      // The client takes away the length of what it has decompressed: JSON alone is zstd.
      const isPlain = answer.headers.map((headers) => headers['content-length'] !== undefined);
      expect(new Set(isPlain)).toEqual(new Set([accept === null]));
    });
  });

  describe('openai', () => {
    interface Answer {
      readonly vectors: readonly (readonly unknown[])[];
      readonly tokens: readonly number[];
      readonly refusal: string;
      readonly models: readonly string[];
    }

    /** The last ones are what LiteLLM sends. */
    const FIELDS = [
      {},
      { encoding_format: 'float' },
      { encoding_format: 'base64' },
      { encoding_format: null, dimensions: null, user: null },
    ];

    test.each([
      ['/v3', true],
      ['/v1', true],
      ['/v1', false],
    ])('gives the same bits with every encoding on %s, with NumPy: %p', async (base, numpy) => {
      const call = { texts: TEXTS, model: MODEL, fields: FIELDS, numpy };
      const answer = (await runPython('embed', [
        'openai',
        `${server.url}${base}`,
        JSON.stringify(call),
      ])) as Answer;
      const vectors = await vectorsOf(TEXTS);
      expect(answer.vectors).toHaveLength(FIELDS.length);
      for (const list of answer.vectors) {
        expect(list.map((vector) => numbersOf(vector, 'float'))).toEqual(vectors);
      }
      expect(answer.tokens).toEqual(FIELDS.map(() => TOKENS));
      expect(answer.refusal).toMatch(/400 .*"input".*token ids are not supported/);
      expect(answer.models).toEqual([MODEL]);
    });
  });

  test('langchain-openai works with texts, and says what is wrong with token ids', async () => {
    const answer = (await runPython('embed', [
      'langchain',
      `${server.url}/v3`,
      JSON.stringify({ texts: TEXTS, model: MODEL }),
    ])) as { vectors: number[][]; query: number[]; refusal: string };
    const vectors = await vectorsOf(TEXTS);
    expect(answer.vectors.map((vector) => Float32Array.from(vector))).toEqual(vectors);
    expect(Float32Array.from(answer.query)).toEqual(vectors[0]);
    expect(answer.refusal).toMatch(/400 .*must be a string .*send the texts themselves/);
  });
});
