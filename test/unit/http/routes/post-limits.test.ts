import fc from 'fast-check';
import { ERRORS, type ErrorCode } from '../../../../src/errors.ts';
import { ROUTES } from '../../../../src/http/routes/index.ts';
import { chunkedPost, post, type RawResponse } from '../../../support/raw-connection.ts';
import { errorOf, TinyServer } from '../../../support/tiny-server.ts';

/** The routes for embeddings models, and the fields that hold their texts. */
const PLACES = ROUTES.filter(({ method }) => method === 'post').flatMap(({ paths, operations }) => {
  const { properties = {} } = operations[0]?.body as { properties?: object };
  const fields = ['input', 'inputs', 'text'].filter((field) => field in properties);
  const isForEmbeddings = !['raw_scores', 'query'].some((field) => field in properties);
  return isForEmbeddings ? paths.flatMap((path) => fields.map((field) => ({ path, field }))) : [];
});

const server = await TinyServer.start();

afterAll(async () => {
  await server.stop();
  expect(server.internalErrors).toEqual([]);
});

test('there are routes to test, and none is left out', () => {
  expect(PLACES.map(({ path, field }) => `${path} ${field}`)).toEqual([
    '/v3/embeddings input',
    ...['/v1/embeddings input', '/embeddings input', '/v3/v1/embeddings input'],
    ...['/embed inputs', '/embed_all inputs'],
    ...['/v3/tokenize inputs', '/v3/tokenize text', '/tokenize inputs', '/tokenize text'],
  ]);
});

describe.each(PLACES)('POST $path with $field', ({ path, field }) => {
  function bodyOf(fields: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({ model: 'org/tiny', [field]: 'x', ...fields });
  }
  function call(fields: Readonly<Record<string, unknown>>): Promise<RawResponse> {
    return server.send(post(path, bodyOf(fields)));
  }
  function paddedTo(bytes: number): string {
    const pad = 'a'.repeat(bytes - bodyOf({ pad: '' }).length);
    return bodyOf({ pad });
  }

  test.each([
    ['announced', post],
    ['chunked', chunkedPost],
  ])('takes 2,000,000 bytes and refuses one more, %s', async (_name, request) => {
    expect((await server.send(request(path, paddedTo(2_000_000)))).status).toBe(200);
    const refused = await server.send(request(path, paddedTo(2_000_001)));
    expect([refused.status, errorOf(refused).code]).toEqual([413, 'body_too_large']);
  });

  test('takes 1,024 inputs and refuses one more', async () => {
    const texts = Array.from({ length: 1024 }, (_, at) => `${at}`);
    expect((await call({ [field]: texts })).status).toBe(200);
    const before = server.servable.calls.length;
    const refused = await call({ [field]: [...texts, 'x'] });
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({ code: 'batch_too_large', param: field });
    expect(server.servable.calls).toHaveLength(before);
  });

  test.each([
    ...[null, [], 5, true, {}, [1, 2], [[1, 2]], [[1], [2, 3]], ['a', null], ['a', 5], [['a']]],
  ])('refuses %j, naming the field', async (value) => {
    const refused = await call({ [field]: value });
    expect(refused.status).toBe(400);
    const { code, param } = errorOf(refused);
    expect(code).toBe('invalid_field');
    // Where it has two names, the first stands for an absent one.
    expect(value === null && field === 'inputs' ? ['inputs', 'text'] : [field]).toContain(param);
  });

  test.each([['']])('takes %j and lone surrogates', async (text) => {
    expect((await call({ [field]: [text, '\ud800', '\u0000'] })).status).toBe(200);
  });

  test.each(['constructor', '__proto__', 'toString', 'org/tiny '])(
    'does not know the model %j',
    async (model) => {
      const refused = await call({ model });
      expect([refused.status, errorOf(refused).code]).toEqual([404, 'model_not_found']);
    },
  );

  test.each([undefined, null])('takes the model %j as the only one, but on /v3', async (model) => {
    const response = await call({ model });
    if (path === '/v3/embeddings') {
      expect(errorOf(response)).toMatchObject({ code: 'invalid_field', param: 'model' });
    } else {
      expect(response.status).toBe(200);
    }
  });

  test('takes null for absent, and ignores fields that it does not know', async () => {
    const { body } = await call({});
    const nulls = ['encoding_format', 'dimensions', 'user', 'truncate', 'max_length', 'normalize'];
    const fields = Object.fromEntries(nulls.map((name) => [name, null]));
    expect((await call({ ...fields, foo: [{}], pad: 5 })).body).toEqual(body);
    const text = bodyOf({}).replace('{', '{"__proto__":{"a":1},"constructor":{"prototype":null},');
    expect((await server.send(post(path, text))).body).toEqual(body);
  });

  test('gives a 2xx or a code of the error table for any fields', async () => {
    const value = fc.oneof(fc.constantFrom('float', 'tensor', 4, 3, 0, true, null), fc.jsonValue());
    const fields = fc.dictionary(
      fc.constantFrom(
        ...['model', field, 'encoding_format', 'dimensions', 'truncate', 'truncation_direction'],
        ...['normalize', 'add_special_tokens', 'max_length', '__proto__'],
      ),
      value,
    );
    await fc.assert(
      fc.asyncProperty(fields, async (some) => {
        const { status, body } = await call(some);
        if (status === 200) return;
        const { error } = JSON.parse(body.toString()) as { error: { code: ErrorCode } };
        expect(status).toBe(ERRORS[error.code].status);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 60, plugins: [fc.interruptAfterTimeLimit(3_000)] },
    );
  });
});
