import { post, requestHead } from '../../../support/raw-connection.ts';
import { TINY_DIMENSIONS, tinyEmbedding, TinyServer } from '../../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

interface List {
  readonly object: string;
  readonly data: readonly { object: string; index: number; embedding: number[] | string }[];
  readonly model: string;
  readonly usage: { prompt_tokens: number; total_tokens: number };
}

describe('POST /v3/embeddings', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  function call(fields: Readonly<Record<string, unknown>>, headers: readonly string[] = []) {
    const body = JSON.stringify({ model: 'org/tiny', input: 'x', ...fields });
    return server.send(post(PATH, body, headers));
  }

  test('embeds a text and a list of texts, in order', async () => {
    const one = await call({ input: 'one' });
    expect(one.status).toBe(200);
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      vary: 'Accept, Accept-Encoding',
    });
    const list = JSON.parse((await call({ input: ['one', 'two'] })).body.toString()) as List;
    expect(list).toEqual({
      object: 'list',
      data: ['one', 'two'].map((_, index) => ({
        object: 'embedding',
        embedding: expect.any(Array) as unknown,
        index,
      })),
      model: 'org/tiny',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    expect(Float32Array.from(list.data[1]?.embedding as number[])).toEqual(tinyEmbedding('two'));
    expect((JSON.parse(one.body.toString()) as List).data[0]).toEqual(list.data[0]);
  });

  test('gives base64 of exactly the row', async () => {
    const { body } = await call({ input: ['a', 'b'], encoding_format: 'base64' });
    const [, second] = (JSON.parse(body.toString()) as List).data;
    const bytes = Buffer.from(second?.embedding as string, 'base64');
    expect(bytes).toHaveLength(4 * TINY_DIMENSIONS);
    expect(bytes.readFloatLE(4)).toBe(tinyEmbedding('b')[1]);
  });

  test('tells a servable what is wanted', async () => {
    await call({});
    const { options } = server.servable.calls.at(-1) ?? {};
    expect(options).toMatchObject({ output: 'pooled', param: 'input' });
    expect(options?.scope.deadlineMs).toBe(Infinity);
  });

  test('counts inference in Server-Timing, of errors the total', async () => {
    expect((await call({})).headers['server-timing']).toMatch(
      /^tokenize;dur=1.25, queue;dur=0.00, inference;dur=2.50, total;dur=\d+\.\d\d$/,
    );
    expect((await call({ input: 1 })).headers['server-timing']).toMatch(/^total;dur=[\d.]+$/);
    const other = await server.send(requestHead('GET', '/v3/models'));
    expect(other.headers['server-timing']).toBeUndefined();
  });
});
