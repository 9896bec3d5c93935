/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { AnswerReader, numbersOf } from '../support/answer-reader.ts';
import { describeClients, requireClient } from '../support/foreign-clients.ts';
import { folderOf, maxDifference } from '../support/open-servable.ts';
import { ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
/** Of one text in other company. */
const BATCH_TOLERANCE = 1e-5;

const TEXTS = ['hello world', '', 'volcano', 'hello world'];

describe('the default server', () => {
  let server: ServerProcess;
  let reader: AnswerReader;
  let expected: readonly Float32Array[];

  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
    const answer = await reader.ask('/embed', { inputs: TEXTS });
    expected = (answer as readonly unknown[]).map((vector) => numbersOf(vector, 'float'));
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  /** Of clients that send the texts in requests of their own. */
  function expectVectors(vectors: readonly unknown[]): void {
    expect(vectors).toHaveLength(expected.length);
    expected.forEach((vector, at) => {
      const difference = maxDifference(numbersOf(vectors[at], 'float'), vector);
      expect(difference).toBeLessThanOrEqual(BATCH_TOLERANCE);
    });
  }

  describe.each(['/v3', '/v1'])('the openai package on %s (B20)', (base) => {
    function client(): OpenAI {
      return new OpenAI({ baseURL: `${server.url}${base}`, apiKey: 'unused', maxRetries: 0 });
    }

    test.each([
      ['no encoding, which is base64 on the wire', {}],
      ['float', { encoding_format: 'float' }],
      ['base64', { encoding_format: 'base64', user: 'someone' }],
    ] as const)('gives the same bits with %s', async (_name, fields) => {
      const { object, data, model, usage } = await client().embeddings.create({
        model: MODEL,
        input: TEXTS,
        ...fields,
      });
      expect([object, model, usage]).toEqual([
        'list',
        MODEL,
        { prompt_tokens: 13, total_tokens: 13 },
      ]);
      expect(data.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
      expect(data.map(({ embedding }) => numbersOf(embedding, 'float'))).toEqual(expected);
    });

    test('shows the messages of errors, and the models', async () => {
      const unknown = client().embeddings.create({ model: 'nope', input: 'x' });
      await expect(unknown).rejects.toThrow(/404 .*"nope"/);
      const ids = client().embeddings.create({ model: MODEL, input: [[15339, 1917]] });
      await expect(ids).rejects.toThrow(/400 .*string/);
      const { data } = await client().models.list();
      expect(data.map(({ id }) => id)).toEqual([MODEL]);
      expect((await client().models.retrieve(MODEL)).id).toBe(MODEL);
    });
  });

  test('the example of README.md runs as it stands', async () => {
    const [, code = ''] =
      /```ts\n(.*?)```/s.exec(readFileSync(folderOf('README.md'), 'utf8')) ?? [];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', code.replace('localhost:8000', `127.0.0.1:${server.port}`)],
      { cwd: ROOT },
    );
    const { usage } = (await reader.ask('/v1/embeddings', {
      input: ['Hello, world', 'Hallo, Welt'],
    })) as { readonly usage: { readonly total_tokens: number } };
    expect(stdout).toBe(`384 ${usage.total_tokens}\n`);
  });

  describeClients(['@langchain/openai', '@langchain/core'], () => {
    interface LangChain {
      readonly OpenAIEmbeddings: new (fields: object) => {
        embedDocuments: (texts: readonly string[]) => Promise<number[][]>;
        embedQuery: (text: string) => Promise<number[]>;
      };
    }

    test.each([
      ['/v3', {}],
      ['/v1', { encodingFormat: 'float', dimensions: 384 }],
      ['/v1', { encodingFormat: 'base64', batchSize: 3 }],
    ])('embeds documents and a query on %s with %j', async (base, fields) => {
      const { OpenAIEmbeddings } = requireClient('@langchain/openai') as LangChain;
      const embeddings = new OpenAIEmbeddings({
        ...{ model: MODEL, apiKey: 'unused', maxRetries: 0, ...fields },
        configuration: { baseURL: `${server.url}${base}` },
      });
      expectVectors(await embeddings.embedDocuments(TEXTS));
      const query = await embeddings.embedQuery('hello world');
      const difference = maxDifference(numbersOf(query, 'float'), expected[0] ?? []);
      expect(difference).toBeLessThanOrEqual(BATCH_TOLERANCE);
    });
  });

  describeClients(['@ai-sdk/openai-compatible', 'ai'], () => {
    interface Compatible {
      readonly createOpenAICompatible: (options: object) => {
        readonly embeddingModel: (name: string) => object;
      };
    }
    interface Ai {
      readonly embedMany: (options: object) => Promise<{
        readonly embeddings: readonly (readonly number[])[];
        readonly usage: { readonly tokens: number };
      }>;
    }

    test.each(['/v3', '/v1'])('embeds many values on %s', async (base) => {
      const { createOpenAICompatible } = requireClient('@ai-sdk/openai-compatible') as Compatible;
      const { embedMany } = requireClient('ai') as Ai;
      const provider = createOpenAICompatible({
        name: 'tensorgate',
        baseURL: `${server.url}${base}`,
      });
      const { embeddings, usage } = await embedMany({
        model: provider.embeddingModel(MODEL),
        values: TEXTS,
        maxRetries: 0,
      });
      expect(usage.tokens).toBe(13);
      expectVectors(embeddings);
    });
  });
});
