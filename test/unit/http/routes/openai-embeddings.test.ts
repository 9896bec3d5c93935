import { DECODERS } from '../../../../src/formats/decode.ts';
import { post } from '../../../support/raw-connection.ts';
import {
  errorOf,
  readyStatus,
  tinyEmbedding,
  TinyServable,
  TinyServer,
} from '../../../support/tiny-server.ts';

interface List {
  readonly object: string;
  readonly data: readonly { readonly index: number; readonly embedding: unknown }[];
  readonly model: string;
}

describe.each(['/v1/embeddings', '/embeddings', '/v3/v1/embeddings'])('POST %s', (path) => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test.each(['float', 'base64', 'tensor'] as const)(
    'gives an OpenAI list of %s without a model',
    async (encoding) => {
      const input = ['one', 'two', 'one'];
      const body = JSON.stringify({ input, encoding_format: encoding });
      const response = await server.send(post(path, body));
      const { object, data, model } = JSON.parse(response.body.toString()) as List;
      expect([object, model]).toEqual(['list', 'org/tiny']);
      expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
      expect(data.map(({ embedding }) => DECODERS[encoding](embedding).data)).toEqual(
        input.map(tinyEmbedding),
      );
    },
  );

  test('hands the wanted size on, and refuses one that the model has not', async () => {
    await server.send(post(path, '{"input":"x","dimensions":3}'));
    expect(server.servable.calls.at(-1)?.options).toMatchObject({ dimensions: 3, param: 'input' });
    const refused = await server.send(post(path, '{"input":"x","dimensions":5}'));
    expect(errorOf(refused)).toMatchObject({ code: 'invalid_field', param: 'dimensions' });
  });

  test('leaves to the model what the client did not ask for', async () => {
    await server.send(post(path, '{"input":"x","truncate":true,"normalize":false}'));
    const { scope, ...options } = server.servable.calls.at(-1)?.options ?? {};
    expect(options).toEqual({ output: 'pooled', param: 'input' });
    expect(scope).toBeDefined();
  });
});

test('a model must be named where several are served', async () => {
  const statuses = ['one', 'two'].map((name) => readyStatus(new TinyServable({ name })));
  const server = await TinyServer.start({ statuses });
  for (const path of ['/v1/embeddings', '/embed', '/embed_all', '/tokenize']) {
    const refused = await server.send(post(path, '{"input":"x","inputs":"x"}'));
    expect(errorOf(refused)).toMatchObject({ code: 'invalid_field', param: 'model' });
    const named = await server.send(post(path, '{"model":"two","input":"x","inputs":"x"}'));
    expect(named.status).toBe(200);
  }
  await server.stop();
});
