import { requestHead, type RawResponse } from '../../../support/raw-connection.ts';
import { errorOf, TinyServer } from '../../../support/tiny-server.ts';

let server: TinyServer;
beforeAll(async () => {
  server = await TinyServer.start();
});
afterAll(async () => {
  await server.stop();
  expect(server.internalErrors).toEqual([]);
});

function get(path: string): Promise<RawResponse> {
  return server.send(requestHead('GET', path));
}

describe('GET /openapi.json', () => {
  test('has the version of the server', async () => {
    const { status, headers, body } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(body.toString())).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      paths: { '/v1/embeddings': { post: {} }, '/docs': { get: {} } },
    });
  });
});

describe('GET /docs', () => {
  test.each(['/docs', '/docs/', '/docs?a=b'])(
    '%s is a page that loads nothing from elsewhere',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const page = body.toString();
      expect(page).not.toMatch(/https?:|\/\/[a-z]|<script>|style=|\son[a-z]+=/);
      expect(headers['content-security-policy']?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
    },
  );

  test('has every file that the page names', async () => {
    const page = (await get('/docs')).body.toString();
    const names = Array.from(page.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, name = '']) => name);
    expect(names).toEqual([
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/page.js',
    ]);
    for (const name of names) {
      const { status, headers, body } = await get(name);
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThan(50);
      const type = { css: 'text/css', js: 'text/javascript', json: 'application/json' };
      const extension = (name.split('.').at(-1) ?? '') as keyof typeof type;
      expect(headers['content-type']).toContain(type[extension]);
    }
  });

  test('has the same bytes a second time, and none for HEAD', async () => {
    const first = await get('/docs/swagger-ui.css');
    expect((await get('/docs/swagger-ui.css')).body).toEqual(first.body);
    const connection = await server.connect();
    await connection.write(requestHead('HEAD', '/docs/swagger-ui.css'));
    const head = await connection.response({ isHead: true });
    expect(head.headers['content-length']).toBe(String(first.body.length));
  });

  test('asks for no check of the document by others', async () => {
    expect((await get('/docs/page.js')).body.toString()).toContain('validatorUrl: null');
  });

  test.each([
    'package.json',
    '..%2fpackage.json',
    '../../package.json',
    'constructor',
    'a/b',
    '%00',
  ])('has no other file: %s', async (name) => {
    const { status, headers, body } = await get(`/docs/${name}`);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json');
    expect(errorOf({ status, headers, body }).code).toBe('not_found');
  });
});
