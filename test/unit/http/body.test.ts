import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../../../src/limits/constants.ts';
import { chunkedPost, post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';
const FRAMINGS = [
  ['Content-Length', post],
  ['chunked', chunkedPost],
] as const;
const CODINGS = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const;

describe('the request body', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  describe.each(FRAMINGS)('with %s', (_name, frame) => {
    test('passes with exactly 2,000,000 bytes', async () => {
      const body = bodyOfBytes(MAX_BODY_BYTES);
      expect(Buffer.byteLength(body)).toBe(2_000_000);
      expect((await server.send(frame(PATH, body))).status).toBe(200);
    });

    test('fails with one byte more', async () => {
      const response = await server.send(frame(PATH, bodyOfBytes(MAX_BODY_BYTES + 1)));
      expect(response.status).toBe(413);
      expect(errorOf(response).code).toBe('body_too_large');
      expect(errorOf(response).message).toContain('the limit is 2000000 bytes');
    });

    test('fails with much more: the answer arrives, then the connection is closed', async () => {
      const connection = await server.connect();
      await connection.write(frame(PATH, bodyOfBytes(20_000_000)));
      const response = await connection.response();
      expect(response.status).toBe(413);
      expect(response.headers['connection']).toBe('close');
      expect(await connection.ended()).toHaveLength(0);
    });

    test.each(CODINGS)(
      'is decoded from %s, with the limit on the decoded size',
      async (name, encode) => {
        const header = `content-encoding: ${name}`;
        const atLimit = frame(PATH, encode(bodyOfBytes(MAX_BODY_BYTES)), [header]);
        expect((await server.send(atLimit)).status).toBe(200);
        const beyond = frame(PATH, encode(bodyOfBytes(MAX_BODY_BYTES + 1)), [header]);
        const response = await server.send(beyond);
        expect([response.status, errorOf(response).code]).toEqual([413, 'body_too_large']);
      },
    );
  });

  test('arrives in single bytes without a buffer for each', async () => {
    const connection = await server.connect();
    const body = Buffer.from(bodyOfBytes(400));
    await connection.write(
      requestHead('POST', PATH, ['content-type: text/json', 'transfer-encoding: chunked']),
    );
    for (const byte of body) await connection.write(`1\r\n${String.fromCharCode(byte)}\r\n`);
    await connection.write('0\r\n\r\n');
    expect((await connection.response()).status).toBe(200);
  });

  test('arrives in two parts with its length announced', async () => {
    const connection = await server.connect();
    const request = post(PATH, bodyOfBytes(300));
    await connection.write(request.subarray(0, request.length - 200));
    await connection.write(request.subarray(request.length - 200));
    expect((await connection.response()).status).toBe(200);
  });

  test('is refused from its announced length while the client stalls', async () => {
    const connection = await server.connect();
    await connection.write(requestHead('POST', PATH, ['content-length: 2000001']));
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([413, 'body_too_large']);
    expect(errorOf(response).message).toContain('of 2000001 bytes');
    await connection.ended();
  });

  test('is discarded behind an early answer, so that the answer arrives', async () => {
    const connection = await server.connect();
    const part = Buffer.alloc(1_000_000, 'a');
    await connection.write(requestHead('POST', PATH, ['content-length: 40000000']));
    // As clients do that send everything before they read.
    for (let sent = 0; sent < 40; sent += 1) await connection.write(part);
    expect((await connection.response()).status).toBe(413);
    await connection.ended();
  });

  test('of a bomb is a 413 that holds no more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    const before = process.memoryUsage();
    const response = await server.send(post(PATH, bomb, ['content-encoding: gzip']));
    const after = process.memoryUsage();
    expect([response.status, errorOf(response).code]).toEqual([413, 'body_too_large']);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20_000_000);
  });

  test('that is cut short within its coding is a 400, and the connection lives on', async () => {
    const connection = await server.connect();
    const whole = gzipSync(bodyOfBytes(10_000));
    const cut = whole.subarray(0, whole.length - 12);
    await connection.write(post(PATH, cut, ['content-encoding: gzip']));
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
    await connection.write(post(PATH, bodyOfBytes(100)));
    expect((await connection.response()).status).toBe(200);
  });

  test('that is not what its coding says is a 400', async () => {
    const response = await server.send(
      post(PATH, bodyOfBytes(200_000), ['content-encoding: gzip']),
    );
    expect([response.status, errorOf(response).code]).toEqual([400, 'invalid_json']);
  });

  test('is decoded from several codings, the last one first', async () => {
    const body = brotliCompressSync(gzipSync(bodyOfBytes(500)));
    const codings = ['content-encoding: GZIP, identity, br'];
    expect((await server.send(post(PATH, body, codings))).status).toBe(200);
    expect(
      (await server.send(post(PATH, bodyOfBytes(90), ['content-encoding: identity']))).status,
    ).toBe(200);
  });

  test.each(['foo', 'gzip, foo', 'gzip, gzip, gzip, gzip'])(
    'with the codings %j is a 415 that names the header',
    async (codings) => {
      const response = await server.send(post(PATH, 'x', [`content-encoding: ${codings}`]));
      expect([response.status, errorOf(response).code]).toEqual([415, 'unsupported_media_type']);
      expect(errorOf(response).message).toContain('Content-Encoding');
    },
  );

  test('is held to the limit before decoding, too', async () => {
    // Empty gzip members: endless bytes that decode to nothing.
    const empty = gzipSync('');
    const body = Buffer.concat(Array.from({ length: 2_000_001 / empty.length + 1 }, () => empty));
    const response = await server.send(chunkedPost(PATH, body, ['content-encoding: gzip']));
    expect([response.status, errorOf(response).code]).toEqual([413, 'body_too_large']);
  });

  test.each([
    ['', 'content-length: 1000'],
    [' while it is decoded', 'content-length: 1000\r\ncontent-encoding: gzip'],
  ])('of a client that hangs up in its middle is given up%s', async (_name, headers) => {
    const before = server.events.length;
    const connection = await server.connect();
    await connection.write(requestHead('POST', PATH, [headers]));
    await connection.write(gzipSync('{"model":').subarray(0, 12));
    await server.arrived(1);
    connection.socket.resetAndDestroy();
    await server.over(before + 1);
    expect(server.events.at(-1)).toMatchObject({ status: 499, code: 'client_closed' });
    expect(server.app.openRequests()).toBe(0);
  });

  test('that ends before its announced length is a 400 to who still listens', async () => {
    const connection = await server.connect();
    connection.socket.end(`${requestHead('POST', PATH, ['content-length: 1000'])}{"model":`);
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([400, 'bad_request']);
    expect(response.headers['x-request-id']).not.toBeUndefined();
  });

  test('with chunks that are no chunks is a 400', async () => {
    const connection = await server.connect();
    await connection.write(requestHead('POST', PATH, ['transfer-encoding: chunked']));
    await connection.write('5\r\n{"mod\r\nzzz\r\n');
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([400, 'bad_request']);
    await connection.ended();
  });
});

describe('Expect: 100-continue', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(() => server.stop());

  const EXPECT = 'expect: 100-continue';

  test('gets 100 Continue when the headers are fine, then the answer', async () => {
    const connection = await server.connect();
    const body = bodyOfBytes(MAX_BODY_BYTES);
    await connection.write(requestHead('POST', PATH, [EXPECT, `content-length: ${body.length}`]));
    expect((await connection.response()).status).toBe(100);
    void connection.write(body);
    expect((await connection.response()).status).toBe(200);
  });

  test.each([
    { status: 413, path: PATH, headers: ['content-length: 2000001'] },
    { status: 415, path: PATH, headers: ['content-length: 5', 'content-type: image/png'] },
    { status: 415, path: PATH, headers: ['content-length: 5', 'content-encoding: foo'] },
    { status: 404, path: '/nope', headers: ['content-length: 5'] },
    { status: 405, path: '/v3/models', headers: ['content-length: 5'] },
  ])('gets $status of $path at once and no 100', async ({ status, path, headers }) => {
    const connection = await server.connect();
    await connection.write(requestHead('POST', path, [EXPECT, ...headers]));
    const response = await connection.response();
    expect(response.status).toBe(status);
    expect(response.headers['connection']).toBe('close');
    expect(await connection.ended()).toHaveLength(0);
  });

  test('gets 503 and no 100 when the server is closing', async () => {
    server.phase = 'closing';
    const connection = await server.connect();
    await connection.write(requestHead('POST', PATH, [EXPECT, 'content-length: 5']));
    const response = await connection.response();
    server.phase = 'serving';
    expect([response.status, errorOf(response).code]).toEqual([503, 'shutting_down']);
    await connection.ended();
  });

  test('is ignored of HTTP/1.0, which has no 100', async () => {
    const body = bodyOfBytes(100);
    const response = await server.send(
      `POST ${PATH} HTTP/1.0\r\n${EXPECT}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(response.status).toBe(200);
  });

  test('with anything else is a 417', async () => {
    const response = await server.send(
      requestHead('POST', PATH, ['expect: a miracle', 'content-length: 5']),
    );
    expect([response.status, errorOf(response).code]).toEqual([417, 'expectation_failed']);
  });
});
