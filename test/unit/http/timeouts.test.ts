import { once } from 'node:events';
import { H2Client, responseOf } from '../../support/h2-client.ts';
import { post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServable, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

/** Only the first two of them are short. */
const SHORT = { headersMs: 100, requestMs: 150, checkMs: 20, keepAliveMs: 60_000 };

describe('a request that does not come in time', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start({ times: SHORT });
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test.each([
    ['its headers', 'POST /v3/embeddings HTTP/1.1\r\nhost: x\r\n'],
    ['its body', `${requestHead('POST', PATH, ['content-length: 50'])}{`],
    ['its chunks', `${requestHead('POST', PATH, ['transfer-encoding: chunked'])}1\r\n{\r\n`],
  ])('with %s is a 408, and its connection is closed', async (_name, bytes) => {
    const connection = await server.connect();
    await connection.write(bytes);
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([408, 'request_timeout']);
    expect(response.headers['connection']).toBe('close');
    await connection.ended();
  });

  test('is a 408 behind others on its connection', async () => {
    const connection = await server.connect();
    await connection.write(requestHead('GET', '/v2'));
    expect((await connection.response()).status).toBe(200);
    await connection.write('GET /v2 HTTP/1.1\r\n');
    expect((await connection.response()).status).toBe(408);
    await connection.ended();
  });

  test('is a 408 over HTTP/2, and the connection lives on', async () => {
    const client = await H2Client.open(server.listener.port);
    const stream = client.stream({ ':method': 'POST', ':path': PATH, 'content-length': 50 });
    stream.write('{');
    const whole = responseOf(stream);
    // The answer is whole. That the client ends its upload is waited for a while.
    await once(stream, 'end');
    stream.close();
    const response = await whole;
    expect([response.status, JSON.parse(response.body.toString())]).toEqual([
      408,
      { error: expect.objectContaining({ code: 'request_timeout' }) as unknown },
    ]);
    expect((await client.get('/v2')).status).toBe(200);
    client.close();
  });
});

describe('an idle connection', () => {
  test.each([
    ['that has sent nothing', ''],
    ['between requests', requestHead('GET', '/v2')],
  ])('%s is closed after the time for that', async (_name, bytes) => {
    const server = await TinyServer.start({ times: { keepAliveMs: 50 } });
    const connection = await server.connect();
    if (bytes !== '') {
      await connection.write(bytes);
      expect((await connection.response()).status).toBe(200);
    }
    expect(await connection.ended()).toHaveLength(0);
    await server.stop();
  });

  test('that has sent nothing outlives the time for headers', async () => {
    const server = await TinyServer.start({ times: SHORT });
    const spare = await server.connect();
    const other = await server.connect();
    await other.write('GET');
    expect((await other.response()).status).toBe(408);
    await spare.write(requestHead('GET', '/v2'));
    expect((await spare.response()).status).toBe(200);
    await server.stop();
  });
});

describe('an answer', () => {
  function bigAnswers(): TinyServable {
    const long = new Float32Array(1_000_000).fill(0.123456789);
    return new TinyServable({ embed: () => long });
  }

  test('of which the client takes no byte for too long is cut off', async () => {
    const server = await TinyServer.start({ servable: bigAnswers(), app: { stallMs: 50 } });
    const connection = await server.connect();
    connection.socket.pause();
    await connection.write(post(PATH, bodyOfBytes(80)));
    await server.over(1);
    expect(server.events).toMatchObject([{ code: 'client_closed' }]);
    await server.stop();
  });

  test('of which the client takes little by little arrives, and the connection can be used again', async () => {
    const server = await TinyServer.start({ servable: bigAnswers(), app: { stallMs: 2_000 } });
    const connection = await server.connect();
    const { socket } = connection;
    const pieces = setInterval(() => {
      // A read of what is there, and then a pause again.
      socket.resume();
      socket.once('data', () => socket.pause());
    }, 1);
    await connection.write(post(PATH, bodyOfBytes(80)));
    expect((await connection.response()).body.length).toBeGreaterThan(10_000_000);
    clearInterval(pieces);
    socket.resume();
    await connection.write(requestHead('GET', '/v2'));
    expect((await connection.response()).status).toBe(200);
    await server.stop();
  });

  test('of many pipelined requests that nobody reads is cut off', async () => {
    const server = await TinyServer.start({ app: { stallMs: 50 } });
    const connection = await server.connect();
    connection.socket.pause();
    const texts = JSON.stringify({ model: 'org/tiny', input: Array(300).fill('x') });
    const requests = Buffer.concat(Array<Buffer>(1_000).fill(post(PATH, texts)));
    const closed = once(connection.socket, 'close');
    connection.socket.write(requests);
    while (server.app.openRequests() === 0) await server.arrived(1);
    await server.app.idle();
    connection.close();
    await closed;
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });
});
