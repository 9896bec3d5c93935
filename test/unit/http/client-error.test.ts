import { post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, openGate, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('malformed HTTP', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test.each([
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a bad version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['a bad header', 'GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n'],
    ['a bad length', `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n`],
    [
      'two lengths',
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    ],
  ])('as %s is a 400 in JSON, and the connection is closed', async (_name, bytes) => {
    const connection = await server.connect();
    await connection.write(Buffer.from(bytes, 'latin1'));
    const response = await connection.response();
    expect([response.status, errorOf(response).code]).toEqual([400, 'bad_request']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      connection: 'close',
      'x-request-id': expect.any(String) as string,
    });
    expect(await connection.ended()).toHaveLength(0);
  });

  test.each([
    ['headers', (bytes: number) => requestHead('GET', '/v2', [`x: ${'a'.repeat(bytes)}`])],
    ['a line', (bytes: number) => requestHead('GET', `/${'a'.repeat(bytes)}`)],
  ])('with %s of more than 16 KiB is a 431', async (_name, request) => {
    expect((await server.send(request(15_000))).status).toBeLessThan(405);
    const response = await server.send(request(1_000_000));
    expect([response.status, errorOf(response).code]).toEqual([431, 'headers_too_large']);
    expect(errorOf(response).message).toContain('16384');
  });

  test('behind a whole request waits for the answer of that', async () => {
    const gate = openGate();
    server.servable.until = gate.opened;
    const connection = await server.connect();
    await connection.write(
      Buffer.concat([post(PATH, bodyOfBytes(80)), Buffer.from('garbage\r\n')]),
    );
    await server.arrived(1);
    gate.open();
    expect((await connection.response()).status).toBe(200);
    expect((await connection.response()).status).toBe(400);
    await connection.ended();
  });

  test('after an answer is a 400', async () => {
    const connection = await server.connect();
    await connection.write(requestHead('GET', '/v2'));
    await connection.response();
    await connection.write('garbage\r\n\r\n');
    expect((await connection.response()).status).toBe(400);
    await connection.write('more garbage');
    await connection.ended();
  });

  test('of a connection that is reset needs no answer', async () => {
    const connection = await server.connect();
    await connection.write('GET / HT');
    connection.socket.resetAndDestroy();
    expect((await server.send(requestHead('GET', '/v2'))).status).toBe(200);
  });
});
