import { DECODERS } from '../../../../src/formats/decode.ts';
import { post } from '../../../support/raw-connection.ts';
import {
  errorOf,
  readyStatus,
  tinyEmbedding,
  tinyMatrix,
  TinyServable,
  TinyServer,
} from '../../../support/tiny-server.ts';

const ENCODED = ['float', 'base64', 'tensor'] as const;

let server: TinyServer;
beforeAll(async () => {
  server = await TinyServer.start();
});
afterAll(async () => {
  await server.stop();
  expect(server.internalErrors).toEqual([]);
});

async function listOf(path: string, body: object): Promise<readonly unknown[]> {
  const response = await server.send(post(path, JSON.stringify(body)));
  return JSON.parse(response.body.toString()) as readonly unknown[];
}

describe('POST /embed', () => {
  test.each(ENCODED)('gives a list of vectors as %s, in order', async (encoding) => {
    const inputs = ['one', 'two', 'one', ''];
    const list = await listOf('/embed', { inputs, encoding_format: encoding });
    expect(list.map((item) => DECODERS[encoding](item))).toEqual(
      inputs.map((text) => ({ shape: [4], data: tinyEmbedding(text) })),
    );
  });

  test('gives a list of one for a string', async () => {
    expect(await listOf('/embed', { inputs: 'one' })).toHaveLength(1);
  });

  test('hands on what is asked for', async () => {
    await listOf('/embed', {
      ...{ inputs: 'x', normalize: false, dimensions: 2 },
      ...{ truncate: true, truncation_direction: 'Left' },
    });
    expect(server.servable.calls.at(-1)?.options).toMatchObject({
      ...{ output: 'pooled', param: 'inputs', normalize: false, dimensions: 2 },
      ...{ truncate: 'left', side: 'left' },
    });
  });

  test('refuses a size that the model has not', async () => {
    const refused = await server.send(post('/embed', '{"inputs":"x","dimensions":5}'));
    expect(errorOf(refused)).toMatchObject({ code: 'invalid_field', param: 'dimensions' });
  });
});

describe('POST /embed_all', () => {
  test.each(ENCODED)('gives a list of token matrices as %s, in order', async (encoding) => {
    const inputs = ['one', 'longer', 'one', 'x'];
    const list = await listOf('/embed_all', { inputs, encoding_format: encoding });
    expect(list.map((item) => DECODERS[encoding](item))).toEqual(inputs.map(tinyMatrix));
  });

  test('gives base64 as a text for each token, and float as a list for each', async () => {
    const [texts] = await listOf('/embed_all', { inputs: 'ab', encoding_format: 'base64' });
    expect(texts).toEqual([expect.any(String), expect.any(String)]);
    const [lists] = await listOf('/embed_all', { inputs: 'ab' });
    expect(lists).toEqual([expect.any(Array), expect.any(Array)]);
  });

  test('gives an empty matrix as such', async () => {
    const body = { inputs: [''], encoding_format: 'tensor' };
    expect(await listOf('/embed_all', body)).toEqual([
      { shape: [0, 4], dtype: 'float32', data_encoding: 'base64', data: '' },
    ]);
  });

  test('refuses a model without token rows, before its limits', async () => {
    const servable = new TinyServable({ hasTokenRows: false });
    const pooled = await TinyServer.start({ servable, statuses: [readyStatus(servable)] });
    const inputs = Array.from({ length: 1025 }, () => 'x');
    const refused = await pooled.send(post('/embed_all', JSON.stringify({ inputs })));
    expect([refused.status, errorOf(refused).code]).toEqual([400, 'wrong_node_type']);
    expect((await pooled.send(post('/embed', '{"inputs":"x"}'))).status).toBe(200);
    await pooled.stop();
  });
});
