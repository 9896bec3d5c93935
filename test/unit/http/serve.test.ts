import { ERRORS, type ErrorCode } from '../../../src/errors.ts';
import { post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('a request', () => {
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

  describe('precedence', () => {
    const bad = ['content-type: image/png', 'content-length: 3000000'];
    test.each([
      { method: 'PATCH', path: '/nope', status: 404 },
      { method: 'PATCH', path: PATH, status: 405 },
      { method: 'POST', path: PATH, status: 415 },
    ])('$status of $method $path before the body', async ({ method, path, status }) => {
      const connection = await server.connect();
      await connection.write(requestHead(method, path, bad));
      expect((await connection.response()).status).toBe(status);
    });

    test.each<[string, Readonly<Record<string, unknown>>, ErrorCode]>([
      ['a field before the model', { model: 'nope', input: 1 }, 'invalid_field'],
      ['the model before dimensions', { model: 'nope', dimensions: 3 }, 'model_not_found'],
      [
        'dimensions before the batch',
        { dimensions: 3, input: Array(1025).fill('') },
        'invalid_field',
      ],
      ['the batch', { input: Array(1025).fill('') }, 'batch_too_large'],
    ])('%s', async (_name, fields, code) => {
      const response = await call(fields);
      expect(errorOf(response).code).toBe(code);
      expect(response.status).toBe(ERRORS[code].status);
    });
  });

  test('refuses HTTP/1.1 without Host', async () => {
    const response = await server.send('GET /v2 HTTP/1.1\r\n\r\n');
    expect([response.status, errorOf(response).code]).toEqual([400, 'bad_request']);
  });

  test('keeps a connection for errors and answers alike', async () => {
    const connection = await server.connect();
    for (const body of ['{', bodyOfBytes(80), '[]', bodyOfBytes(1_000_000)]) {
      await connection.write(post(PATH, body));
      expect((await connection.response()).headers['connection']).toBe('keep-alive');
    }
    await connection.write(post('/nope', bodyOfBytes(1_000_000)));
    expect((await connection.response()).status).toBe(404);
    await connection.write(post(PATH, bodyOfBytes(80)));
    expect((await connection.response()).status).toBe(200);
  });

  test('answers early and closes a connection as asked, with the body still on its way', async () => {
    const connection = await server.connect();
    const body = bodyOfBytes(1_500_000);
    const head = ['connection: close', `content-length: ${body.length}`];
    await connection.write(requestHead('POST', '/nope', head) + body.slice(0, 700_000));
    expect((await connection.response()).status).toBe(404);
    await connection.write(body.slice(700_000));
    expect(await connection.ended()).toHaveLength(0);
  });

  test('answers pipelined requests in order', async () => {
    const connection = await server.connect();
    const requests = [bodyOfBytes(80), '{', bodyOfBytes(80)].map((body) => post(PATH, body));
    await connection.write(Buffer.concat(requests));
    const statuses = [];
    while (statuses.length < requests.length) statuses.push((await connection.response()).status);
    expect(statuses).toEqual([200, 400, 200]);
  });
});
