import fc from 'fast-check';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { chunkedPost, post, type RawConnection } from '../support/raw-connection.ts';
import { errorOf, TinyServer } from '../support/tiny-server.ts';

const PATH = '/v3/embeddings';

/** Values that a field may have, right and wrong ones. */
const input = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }),
  fc.jsonValue(),
);
const fields = fc.record(
  {
    model: fc.oneof(fc.constant('org/tiny'), fc.jsonValue()),
    input,
    encoding_format: fc.oneof(fc.constantFrom('float', 'base64', 'tensor', null), fc.jsonValue()),
    dimensions: fc.oneof(fc.constantFrom(4, 3, null), fc.jsonValue()),
    user: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  fc.json({ stringUnit: 'binary' }).map((text) => Buffer.from(text)),
  fields.map((value) => Buffer.from(JSON.stringify(value))),
  // A right body with some of its bytes changed.
  fc
    .tuple(fields, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
    .map(([value, changes]) => {
      const body = Buffer.from(JSON.stringify(value));
      for (const [at, byte] of changes) body[at % body.length] = byte;
      return body;
    }),
);
const headers = fc.subarray(
  ['content-encoding: gzip', 'content-encoding: br', 'content-type: text/plain', 'accept: a/b'],
  { maxLength: 1 },
);

/** A few connections serve all: an answer must leave its connection usable, or say that it's closed. */
async function answerOf(
  server: TinyServer,
  kept: { connection: RawConnection | null },
  request: Buffer,
): Promise<{ status: number; code: string | null }> {
  const connection = kept.connection ?? (await server.connect());
  void connection.write(request);
  const response = await connection.response();
  kept.connection = response.headers['connection'] === 'close' ? null : connection;
  return {
    status: response.status,
    code: response.status < 300 ? null : errorOf(response).code,
  };
}

test('any bytes as a body get a 2xx or a code of the error table', async () => {
  const server = await TinyServer.start();
  const kept = { connection: null };
  await fc.assert(
    fc.asyncProperty(bytes, headers, fc.boolean(), async (body, more, isChunked) => {
      const request = isChunked ? chunkedPost(PATH, body, more) : post(PATH, body, more);
      const { status, code } = await answerOf(server, kept, request);
      if (code === null) {
        expect(status).toBe(200);
      } else {
        expect(Object.keys(ERRORS)).toContain(code);
        expect(status).toBe(ERRORS[code as ErrorCode].status);
        expect(status).toBeLessThan(500);
      }
    }),
    { numRuns: 1500, plugins: [fc.interruptAfterTimeLimit(10_000)] },
  );
  expect(server.internalErrors).toEqual([]);
  await server.stop();
}, 20_000);

test('any bytes as a request get an answer or an end, and the server lives', async () => {
  const server = await TinyServer.start();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc
          .tuple(
            fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'CONNECT', 'X'),
            fc.webPath(),
            fc.string({ unit: 'grapheme-ascii' }),
          )
          .map(([method, path, header]) =>
            Buffer.from(`${method} /v3${path} HTTP/1.1\r\nhost: x\r\nx: ${header}\r\n\r\n`),
          ),
      ),
      async (request) => {
        const connection = await server.connect();
        connection.socket.end(request);
        const answer = (await connection.ended()).toString('latin1');
        if (answer !== '') expect(answer).toMatch(/^HTTP\/1.1 [2345]\d\d /);
        connection.close();
      },
    ),
    { numRuns: 500, plugins: [fc.interruptAfterTimeLimit(8_000)] },
  );
  const alive = await server.send('GET /v2/health/live HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(alive.status).toBe(200);
  expect(server.internalErrors).toEqual([]);
  await server.stop();
}, 20_000);
