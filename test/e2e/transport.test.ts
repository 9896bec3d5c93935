import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress, init } from '@bokuweb/zstd-wasm';
import { H2Client, responseOf } from '../support/h2-client.ts';
import { post, RawConnection, type RawResponse } from '../support/raw-connection.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const PATH = '/v3/embeddings';

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: decompress,
};

function callOf(input: unknown, fields = {}): string {
  return JSON.stringify({ model: MODEL, input, ...fields });
}

/** Work for some seconds. */
const HEAVY = callOf(
  Array.from({ length: 1024 }, (_, index) => `the text ${index} of many words `.repeat(20)),
);

describe('the transport of the built server', () => {
  let server: ServerProcess;
  let client: H2Client;
  beforeAll(async () => {
    server = await startServerProcess();
    client = await H2Client.open(server.port);
    await init();
  }, 60_000);
  afterAll(async () => {
    client.close();
    expect((await server.stop()).code).toBe(0);
  });

  async function send(bytes: Uint8Array): Promise<RawResponse> {
    const connection = await RawConnection.open(server.port);
    await connection.write(bytes);
    const response = await connection.response();
    connection.close();
    return response;
  }

  test('gives the same vectors over HTTP/1.1 and HTTP/2, at the same time', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `sentence number ${index}`);
    const answers = await Promise.all(
      texts.map(async (text) => {
        const [over1, over2] = await Promise.all([
          send(post(PATH, callOf(text))),
          client.post(callOf(text)),
        ]);
        return [over1.status, over2.status, over1.body.equals(over2.body)];
      }),
    );
    expect(answers).toEqual(texts.map(() => [200, 200, true]));
  });

  describe.each(Object.keys(DECODERS))('%s', (coding) => {
    test.each([
      ['a small answer', 'a sentence'],
      ['a large answer', Array.from({ length: 60 }, (_, index) => `sentence ${index}`)],
    ])('shortens %s, and gives the same', async (_name, input) => {
      const plain = await client.post(callOf(input));
      const coded = await client.post(callOf(input), { 'accept-encoding': coding });
      expect(coded.headers).toMatchObject({
        'content-encoding': coding,
        vary: 'Accept, Accept-Encoding',
      });
      expect(coded.body.length).toBeLessThan(0.6 * plain.body.length);
      // The decoder of the tests takes one frame of zstd, which is what a small answer has.
      if (coding === 'zstd' && typeof input !== 'string') return;
      expect(DECODERS[coding]?.(coded.body)).toEqual(plain.body);
    });
  });

  test('encodes nothing that is short, binary, or not asked for', async () => {
    const coded = { 'accept-encoding': 'zstd, br, gzip' };
    const answers = await Promise.all([
      client.post(callOf('x')),
      client.get('/v2', coded),
      client.post(callOf(7), coded),
      client.post(callOf('x'), { ...coded, accept: 'application/msgpack' }),
      client.get('/v3/models', { ...coded, ':method': 'HEAD' }),
    ]);
    for (const { headers } of answers) expect(headers).not.toHaveProperty('content-encoding');
  });

  test('drops the work of clients that are gone', async () => {
    const abandoned = Array.from({ length: 10 }, () =>
      client.stream({ ':method': 'POST', ':path': PATH, 'content-length': HEAVY.length }),
    );
    for (const stream of abandoned) {
      stream.on('error', () => undefined);
      stream.end(HEAVY);
    }
    // One that is behind them has been read, so they have been as well.
    expect((await client.get('/v2')).status).toBe(200);
    for (const stream of abandoned) stream.close();
    // With the work of all of them before it, it would take a minute.
    const response = await client.post(callOf('x'), { 'request-timeout-ms': 15_000 });
    expect(response.status).toBe(200);
  });

  test('answers at the deadline, and serves others', async () => {
    const stream = client.stream({
      ':method': 'POST',
      ':path': PATH,
      'content-length': HEAVY.length,
      'request-timeout-ms': 200,
    });
    stream.end(HEAVY);
    const { status, body } = await responseOf(stream);
    expect([status, JSON.parse(body.toString())]).toEqual([
      504,
      { error: expect.objectContaining({ code: 'deadline_exceeded' }) as unknown },
    ]);
    expect((await client.post(callOf('x'))).status).toBe(200);
  });

  test('serves 1,024 connections at once', async () => {
    const connections = await Promise.all(
      Array.from({ length: 1_024 }, () => RawConnection.open(server.port)),
    );
    const answers = await Promise.all(
      connections.map(async (connection, index) => {
        await connection.write(
          post(PATH, callOf(`number ${index}`, { encoding_format: 'base64' })),
        );
        const { status } = await connection.response();
        connection.close();
        return status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});
