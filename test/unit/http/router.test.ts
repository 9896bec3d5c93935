import { post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('the router', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  describe('paths', () => {
    test.each([
      ['//v3//embeddings'],
      ['/v3/embeddings/'],
      ['/v3/embeddings?api-version=1'],
      ['/v3/embeddings/?x=/nope#y'],
      ['http://localhost:8000/v3/embeddings'],
      ['HTTPS://example.com:1/v3/embeddings?x'],
    ])('%s is a route', async (path) => {
      expect((await server.send(post(path, bodyOfBytes(99)))).status).toBe(200);
    });

    test.each([
      ['/v3/embedings', '/v3/embeddings'],
      ['/V3/EMBEDDINGS', '/v3/embeddings'],
      ['/v3/v3/embeddings', '/v3/embeddings'],
      ['/v2/health/reddy', '/v2/health/ready'],
      ['//a@[#', '/'],
      ['http://[', '/'],
      ['/%zz', '/'],
      [`/${'x'.repeat(8000)}`, '/'],
    ])('%s is a 404 that names the closest route', async (path, closest) => {
      const response = await server.send(post(path, bodyOfBytes(99)));
      expect(response.status).toBe(404);
      expect(errorOf(response)).toMatchObject({ code: 'not_found', param: null });
      expect(errorOf(response).message).toContain(`the closest route is ${closest}`);
      expect(errorOf(response).message.length).toBeLessThan(300);
    });

    test('an escape that is no UTF-8 behind a route is a 400', async () => {
      const response = await server.send(requestHead('GET', '/v3/models/%ff'));
      expect([response.status, errorOf(response).code]).toEqual([400, 'bad_request']);
    });
  });

  describe('methods', () => {
    test.each([
      ['GET', PATH, 'POST'],
      ['HEAD', PATH, 'POST'],
      ['PUT', PATH, 'POST'],
      ['POST', '/v3/models/x', 'GET, HEAD'],
      ['DELETE', '/health', 'GET, HEAD'],
    ])('%s %s is a 405 with Allow: %s', async (method, path, allow) => {
      const connection = await server.connect();
      await connection.write(requestHead(method, path));
      const response = await connection.response({ isHead: method === 'HEAD' });
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe(allow);
      if (method !== 'HEAD') expect(errorOf(response).code).toBe('method_not_allowed');
      await connection.write(requestHead('GET', '/v2/health/live'));
      expect((await connection.response()).status).toBe(200);
    });

    test('HEAD is GET without a body', async () => {
      const connection = await server.connect();
      await connection.write(requestHead('HEAD', '/v2/health/live'));
      const { status, headers } = await connection.response({ isHead: true });
      expect([status, headers['content-length']]).toEqual([200, '13']);
      await connection.write(requestHead('HEAD', '/nope', ['connection: close']));
      expect((await connection.response({ isHead: true })).status).toBe(404);
      expect(await connection.ended()).toHaveLength(0);
    });

    test.each([
      [PATH, 204, 'POST'],
      ['/v3/models', 204, 'GET, HEAD'],
      ['*', 204, 'GET, HEAD, POST'],
      ['/nope', 404, undefined],
    ])('OPTIONS %s is a %d', async (path, status, allow) => {
      const response = await server.send(requestHead('OPTIONS', path));
      expect([response.status, response.headers['allow']]).toEqual([status, allow]);
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    });

    test('CONNECT is a 405', async () => {
      const response = await server.send('CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n');
      expect([response.status, errorOf(response).code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers['x-request-id']).not.toBeUndefined();
    });
  });
});
