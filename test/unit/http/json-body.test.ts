import { chunkedPost, post } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('the body as JSON', () => {
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

  describe('JSON', () => {
    function nested(depth: number): string {
      return `{"model":"org/tiny","input":"x","pad":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    }

    test('may be nested 100 deep, and not 101', async () => {
      expect((await server.send(post(PATH, nested(100)))).status).toBe(200);
      const response = await server.send(post(PATH, nested(101)));
      expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
      expect(errorOf(response).message).toContain('100');
    });

    test('of brackets alone costs nothing', async () => {
      for (const body of [nested(100_001), '['.repeat(2_000_000), '{"a":'.repeat(400_000)]) {
        const response = await server.send(post(PATH, body));
        expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
      }
    });

    test('may hold brackets in strings', async () => {
      const pad = `${'[{'.repeat(200)}\\"${'['.repeat(200)}\\\\`;
      expect((await call({ pad, input: ['['.repeat(200)] })).status).toBe(200);
      const body = `{"pad":"${pad}","model":"org/tiny","input":"x"}`;
      expect((await server.send(post(PATH, body))).status).toBe(200);
    });

    test.each([
      ['{bad'],
      ['"x"'],
      ['null'],
      [''],
      ['[1]'],
      ['{"a":1}}'],
      ['{"a":"b'],
      ['\ufeff'],
      ['{"a":"\\'],
    ])('%j is a 400', async (body) => {
      const response = await server.send(post(PATH, body));
      expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
      expect(response.headers['content-type']).toBe('application/json');
      expect(errorOf(response).message).toMatch(/^Cannot /);
    });

    test('may begin with a byte order mark', async () => {
      expect((await server.send(post(PATH, `\ufeff${bodyOfBytes(90)}`))).status).toBe(200);
    });

    test.each([
      ['a lone continuation byte', [0x80]],
      ['an overlong form', [0xc0, 0xaf]],
      ['a surrogate', [0xed, 0xa0, 0x80]],
      ['a cut character', [0xe2, 0x82]],
    ])('with %s is a 400', async (_name, bytes) => {
      const body = Buffer.concat([
        Buffer.from('{"model":"org/tiny","input":"'),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ]);
      const response = await server.send(chunkedPost(PATH, body));
      expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
      expect(errorOf(response).message).toContain('UTF-8');
    });

    test('takes the last of two equal keys', async () => {
      const response = await server.send(
        post(PATH, '{"model":"nope","model":"org/tiny","input":1,"input":"x"}'),
      );
      expect(response.status).toBe(200);
    });

    test('may hold keys of the prototype', async () => {
      const body = '{"__proto__":{"x":1},"constructor":{"a":1},"model":"org/tiny","input":"x"}';
      expect((await server.send(post(PATH, body))).status).toBe(200);
    });

    test('of a lone surrogate is that of U+FFFD', async () => {
      const head = '{"model":"org/tiny","input":';
      const lone = await server.send(post(PATH, `${head}["a\\ud800","\\udc00b"]}`));
      const replaced = await server.send(post(PATH, `${head}["a\\ufffd","\\ufffdb"]}`));
      expect(lone.body).toEqual(replaced.body);
    });
  });
});
