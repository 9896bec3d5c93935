import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bare, expectError, send as sendTo } from '../support/case-client.ts';
import { chunkedPost, post, requestHead, type RawResponse } from '../support/raw-connection.ts';
import { POST_ROUTES, type PostRoute } from '../support/post-routes.ts';
import { EMBEDDER, startScoreServer } from '../support/score-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { errorOf } from '../support/tiny-server.ts';

const ACCEPTED_TYPES = [
  [],
  ['content-type: application/json; charset=utf-8'],
  ['content-type: Application/JSON;charset="UTF8"'],
  ['content-type: application/vnd.api+json'],
  ['content-type: text/plain'],
  ['content-type: application/x-www-form-urlencoded'],
];

const REFUSED_TYPES = [
  'multipart/form-data; boundary=x',
  'application/msgpack',
  'text/html',
  'application/json; charset=latin1',
];

const ACCEPTS = [
  ['application/json, application/msgpack', 'application/msgpack'],
  ['application/x-msgpack', 'application/x-msgpack'],
  ['APPLICATION/MSGPACK;q=0.8', 'application/msgpack'],
  ['application/json, application/msgpack;q=0.9', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
] as const;

const NO_TEXTS =
  'null [] {} 42 true [15339,1917] [[15339,1917]] [[99999]] [[-5]] [[]] ["a",1] ["a",null]'.split(
    ' ',
  );

const EMBED_ROUTES = POST_ROUTES.filter(({ fields }) => fields.includes('encoding_format'));

const ENCODINGS: readonly (readonly [unknown, number])[] = [
  ...['float', 'base64', 'tensor', null].map((encoding) => [encoding, 200] as const),
  ...['int8', 'FLOAT', '', 5, ['float'], '__proto__'].map((encoding) => [encoding, 400] as const),
];

const DIMENSIONS: readonly (readonly [unknown, number])[] = [
  ...[384, 128, 1, null].map((dimensions) => [dimensions, 200] as const),
  ...[0, -1, 1.5, 385, '384', true].map((dimensions) => [dimensions, 400] as const),
];

/** What a browser's SDK asks for before its request. */
const PREFLIGHT = [
  'origin: app://obsidian.md',
  'access-control-request-method: POST',
  'access-control-request-headers: authorization,content-type,x-stainless-os,x-stainless-retry-count',
];

function corsHeadersOf({ headers }: RawResponse): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

describe('a server with a model of each type', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startScoreServer();
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  function send(bytes: string | Uint8Array, isHead = false): Promise<RawResponse> {
    return sendTo(server.port, bytes, isHead);
  }

  describe.each([...POST_ROUTES])('POST $path', ({ path, body, field, fields }: PostRoute) => {
    function bodyOf(more: Readonly<Record<string, unknown>>): string {
      return JSON.stringify({ ...body, ...more });
    }
    function call(more: Readonly<Record<string, unknown>>): Promise<RawResponse> {
      return send(post(path, bodyOf(more)));
    }
    function paddedTo(bytes: number): string {
      return bodyOf({ pad: 'a'.repeat(bytes - bodyOf({ pad: '' }).length) });
    }

    test.each(['{bad', '"x"', 'null', '', '[1]', `{"${field}":"\ud800`])(
      'refuses the body %j as JSON of its own shape (B11)',
      async (text) => {
        expectError(await send(post(path, text)), 400, 'invalid_json');
      },
    );

    test('refuses deep nesting and invalid UTF-8 (B11)', async () => {
      const deep = `{"model":"m","${field}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      expectError(await send(post(path, deep)), 400, 'invalid_json');
      const invalid = Buffer.from(bodyOf({ pad: '\u00e9' }), 'latin1');
      expectError(await send(post(path, invalid)), 400, 'invalid_json');
    });

    test('refuses other methods, and says which there is (B11)', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const refused = await send(requestHead(method, path));
        expectError(refused, 405, 'method_not_allowed');
        expect(refused.headers['allow']).toBe('POST');
      }
      const head = await send(requestHead('HEAD', path), true);
      expect([head.status, head.body.length]).toEqual([405, 0]);
    });

    test('takes JSON of every common type, and a byte order mark', async () => {
      const { body: expected } = await call({});
      for (const headers of ACCEPTED_TYPES) {
        expect((await send(bare(path, bodyOf({}), headers))).body).toEqual(expected);
      }
      expect((await send(post(path, `\ufeff${bodyOf({})}`))).body).toEqual(expected);
    });

    test.each(REFUSED_TYPES)('refuses the type %s, naming the header', async (type) => {
      const refused = await send(bare(path, bodyOf({}), [`content-type: ${type}`]));
      expectError(refused, 415, 'unsupported_media_type');
      expect(errorOf(refused).message).toContain('Content-Type');
    });

    test.each(ACCEPTS)('answers Accept: %s with %s, and errors with JSON', async (accept, type) => {
      const headers = [`accept: ${accept}`];
      const response = await send(post(path, bodyOf({}), headers));
      expect([response.status, response.headers['content-type']]).toEqual([200, type]);
      expect(response.headers['vary']).toMatch(/^Accept\b(?!-)/);
      // No JSON of an object or a list begins with such a byte, and every map or list of MessagePack does.
      expect((response.body[0] ?? 0) >= 0x80).toBe(type.endsWith('msgpack'));
      expectError(await send(post(path, bodyOf({ [field]: 5 }), headers)), 400, 'invalid_field');
    });

    test('takes null for absent in every optional field (B08)', async () => {
      const { body: expected } = await call({});
      const optional = fields.filter((name) => !(name in body));
      const nulls = Object.fromEntries(optional.map((name) => [name, null]));
      const { status, body: actual } = await call(nulls);
      expect([status, actual.toString()]).toEqual([200, expected.toString()]);
    });

    test.each(NO_TEXTS)('refuses %s as texts, and serves on (B06)', async (json) => {
      const refused = await call({ [field]: JSON.parse(json) as unknown });
      expectError(refused, 400, 'invalid_field');
      expect(errorOf(refused).message).toMatch(/string|text/);
      expect((await send(requestHead('GET', '/v2/health/ready'))).status).toBe(200);
    });

    test('refuses a body without texts (B06)', async () => {
      expectError(await call({ [field]: undefined }), 400, 'invalid_field');
    });

    test.each(['no-such-model', 'constructor', '__proto__', 'toString', ' ', `${EMBEDDER} `])(
      'does not know the model %j (B21)',
      async (model) => {
        const refused = await call({ model });
        expectError(refused, 404, 'model_not_found');
        expect(errorOf(refused)).toMatchObject({ param: 'model' });
        expect(errorOf(refused).message).toContain(JSON.stringify(model));
      },
    );

    test.each([5, '', true, ['x']])('refuses %j as a model (B21)', async (model) => {
      const refused = await call({ model });
      expectError(refused, 400, 'invalid_field');
      expect(errorOf(refused)).toMatchObject({ param: 'model' });
    });

    test('ignores members named like those of every object (B21)', async () => {
      const { body: expected } = await call({});
      const text = bodyOf({}).replace('{', '{"__proto__":{"x":1},"constructor":{"a":1},');
      expect((await send(post(path, text))).body).toEqual(expected);
    });

    test('tolerates doubled slashes, one at the end, a query and a whole URL (B22)', async () => {
      const targets = [`${path}/`, path.replaceAll('/', '//'), `${path}?api-version=1`];
      for (const target of [...targets, `http://localhost:8000${path}`]) {
        expect((await send(post(target, bodyOf({})))).status).toBe(200);
      }
      const upper = await send(post(path.toUpperCase(), bodyOf({})));
      expectError(upper, 404, 'not_found');
      expect(errorOf(upper).message).toContain(`the closest route is ${path}`);
    });

    test('sends no CORS headers, and answers a preflight without a body (B23)', async () => {
      const preflight = await send(requestHead('OPTIONS', path, PREFLIGHT));
      expect([preflight.status, preflight.body.length]).toEqual([204, 0]);
      expect(corsHeadersOf(preflight)).toEqual([]);
      for (const text of [bodyOf({}), '{bad']) {
        const response = await send(post(path, text, ['origin: app://obsidian.md']));
        expect(response.status).toBe(text === '{bad' ? 400 : 200);
        expect(corsHeadersOf(response)).toEqual([]);
      }
    });

    test.each([
      ['announced', post],
      ['chunked', chunkedPost],
    ])('takes 2,000,000 bytes and refuses one more, %s (B17)', async (_name, request) => {
      expect((await send(request(path, paddedTo(2_000_000)))).status).toBe(200);
      expectError(await send(request(path, paddedTo(2_000_001))), 413, 'body_too_large');
    });

    test('reads compressed bodies up to the same limit (B17)', async () => {
      const gzip = ['content-encoding: gzip'];
      const most = gzipSync(paddedTo(2_000_000));
      expect((await send(post(path, most, gzip))).status).toBe(200);
      const more = gzipSync(paddedTo(2_000_001));
      expectError(await send(post(path, more, gzip)), 413, 'body_too_large');
      const codings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
      for (const [coding, compress] of Object.entries(codings)) {
        const headers = [`content-encoding: ${coding}`];
        const body = compress(bodyOf({}));
        expect((await send(post(path, body, headers))).status).toBe(200);
        expect((await send(post(path, body.subarray(0, -9), headers))).status).toBe(400);
      }
      const unknown = await send(post(path, bodyOf({}), ['content-encoding: foo']));
      expectError(unknown, 415, 'unsupported_media_type');
    });

    test('takes 1,024 texts and refuses one more, naming the limit (B24)', async () => {
      const texts = Array.from({ length: 1024 }, () => 'a');
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        body: bodyOf({ [field]: texts }),
      });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      const refused = await call({ [field]: [...texts, 'a'] });
      expectError(refused, 400, 'batch_too_large');
      expect(errorOf(refused).message).toMatch(/1025.*max_batch_size is 1024/);
    });
  });

  describe.each(EMBED_ROUTES)('POST $path', ({ path, body, fields }) => {
    function call(more: object): Promise<RawResponse> {
      return send(post(path, JSON.stringify({ ...body, ...more })));
    }

    test.each(ENCODINGS)('answers the encoding %j with %i', async (encoding, status) => {
      const isOpenvino = path === '/v3/embeddings' && encoding === 'tensor';
      const response = await call({ encoding_format: encoding });
      expect(response.status).toBe(isOpenvino ? 400 : status);
      if (response.status === 400) expect(errorOf(response).param).toBe('encoding_format');
    });

    test.each(DIMENSIONS)('answers %j dimensions with %i (B25)', async (dimensions, status) => {
      const isOpenvino = path === '/v3/embeddings' && (dimensions === 128 || dimensions === 1);
      const response = await call({ dimensions });
      // Where the field isn't known, it's ignored.
      const expected = fields.includes('dimensions') ? status : 200;
      expect(response.status).toBe(isOpenvino ? 400 : expected);
      if (response.status === 400) expect(errorOf(response).param).toBe('dimensions');
    });
  });

  describe('paths', () => {
    test.each([
      ['/nope', 'POST'],
      ['/v1/embeddings/embeddings', 'POST'],
      ['/v3', 'GET'],
      ['/', 'GET'],
    ])('%s is answered with JSON that names a route (B11, B22)', async (path, method) => {
      const refused = await send(requestHead(method, path, ['content-length: 0']));
      expectError(refused, 404, 'not_found');
      expect(errorOf(refused).message).toMatch(/the closest route is \/\w/);
    });

    test.each(['/v3/models', '/v1/models', '/models'])(
      '%s lists models that can be fetched by their names (B22)',
      async (path) => {
        const list = (await (await fetch(`${server.url}${path}`)).json()) as {
          readonly object: string;
          readonly data: readonly { readonly id: string }[];
        };
        expect(list.object).toBe('list');
        expect(list.data.map(({ id }) => id)).toContain(EMBEDDER);
        for (const model of list.data) {
          for (const id of [model.id, encodeURIComponent(model.id)]) {
            const one = await fetch(`${server.url}${path}/${id}`);
            expect(await one.json()).toEqual(model);
          }
        }
      },
    );
  });
});
