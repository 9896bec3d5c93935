import { post, requestHead } from '../../../support/raw-connection.ts';
import {
  errorOf,
  readyStatus,
  TinyServable,
  TinyServer,
  waitingStatus,
} from '../../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('models', () => {
  const servables = [new TinyServable(), new TinyServable({ name: 'constructor' })];
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start({
      statuses: [
        ...servables.map(readyStatus),
        waitingStatus('slow', 'loading'),
        waitingStatus('broken', 'failed'),
        readyStatus(new TinyServable({ name: 'odd/ready' })),
      ],
    });
  });
  afterAll(() => server.stop());

  const object = {
    id: 'org/tiny',
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'tensorgate',
    type: 'embeddings',
    dimensions: 4,
    limits: {
      max_body_bytes: 2_000_000,
      max_batch_size: 1024,
      max_padded_bytes: 1_073_741_824,
      context_length: 512,
    },
  };

  async function get(path: string): Promise<{ status: number; json: unknown }> {
    const { status, body } = await server.send(requestHead('GET', path));
    return { status, json: JSON.parse(body.toString()) as unknown };
  }

  test.each(['/v3/models', '/v1/models', '/models'])(
    '%s lists those that are ready',
    async (path) => {
      const { status, json } = await get(path);
      expect(status).toBe(200);
      expect(json).toEqual({
        object: 'list',
        data: [object, { ...object, id: 'constructor' }, { ...object, id: 'odd/ready' }],
      });
    },
  );

  test.each(['/v3/models', '/v1/models', '/models'])('%s/{id} gives one', async (path) => {
    for (const id of ['org/tiny', 'org%2Ftiny', 'org%2ftiny/']) {
      expect(await get(`${path}/${id}`)).toEqual({ status: 200, json: object });
    }
  });

  test.each([
    ['nope', 404, 'model_not_found'],
    ['__proto__', 404, 'model_not_found'],
    ['slow', 503, 'model_loading'],
    ['broken', 503, 'model_loading'],
  ])('of %s is a %d', async (id, status, code) => {
    for (const path of [`/v3/models/${id}`, `/v2/models/${id}`, `/v2/models/${id}/ready`]) {
      const found = await get(path);
      expect(found).toMatchObject({ status, json: { error: { code, param: 'model' } } });
    }
    const response = await server.send(post(PATH, JSON.stringify({ model: id, input: 'x' })));
    expect([response.status, errorOf(response).code]).toEqual([status, code]);
    expect(response.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  });

  test.each(['toString', ' ', 'org/tiny ', 'ORG/TINY'])('%j is an unknown name', async (model) => {
    const response = await server.send(post(PATH, JSON.stringify({ model, input: 'x' })));
    expect([response.status, errorOf(response).code]).toEqual([404, 'model_not_found']);
    expect(errorOf(response).message).toContain(`the model ${JSON.stringify(model)}`);
    expect(errorOf(response).message).toContain('"org/tiny", "constructor"');
  });

  test('may be called constructor', async () => {
    const body = JSON.stringify({ model: 'constructor', input: 'x' });
    expect((await server.send(post(PATH, body))).status).toBe(200);
  });

  test('have KServe metadata and readiness', async () => {
    expect(await get('/v2')).toEqual({
      status: 200,
      json: { name: 'tensorgate', version: '1.2.3', extensions: [] },
    });
    expect(await get('/v2/models/org/tiny')).toMatchObject({
      status: 200,
      json: { name: 'org/tiny', outputs: [{ shape: [-1, 4] }] },
    });
    expect(await get('/v2/models/org%2Ftiny/ready')).toEqual({
      status: 200,
      json: { name: 'org/tiny', ready: true },
    });
    expect(await get('/v2/models/odd/ready')).toMatchObject({ json: { name: 'odd/ready' } });
    expect(await get('/v2/models/odd/ready/ready')).toMatchObject({ json: { ready: true } });
    expect(await get('/v2/models/')).toMatchObject({ status: 404 });
  });

  test('that are not ready keep the server from being ready', async () => {
    expect(await get('/v2/health/live')).toEqual({ status: 200, json: { live: true } });
    for (const path of ['/v2/health/ready', '/health']) {
      const { status, json } = await get(path);
      expect(status).toBe(503);
      expect(json).toMatchObject({ error: { code: 'model_loading' } });
      expect(JSON.stringify(json)).toContain('\\"slow\\" (loading), \\"broken\\" (failed)');
    }
  });
});
