import { once } from 'node:events';
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { H2Client, responseOf, type H2Response } from '../../support/h2-client.ts';
import { post } from '../../support/raw-connection.ts';
import {
  bodyOfBytes,
  errorOf,
  openGate,
  tinyEmbedding,
  TinyServer,
} from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';
const POST = { ':method': 'POST', ':path': PATH, 'content-type': 'application/json' };

function codeOf({ body }: H2Response): string {
  return errorOf({ status: 0, headers: {}, body }).code;
}

function embeddingsOf({ body }: H2Response): readonly Float32Array[] {
  const { data } = JSON.parse(body.toString()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => Float32Array.from(embedding));
}

function callOf(...input: string[]): string {
  return JSON.stringify({ model: 'org/tiny', input });
}

describe('HTTP/2 with prior knowledge', () => {
  let server: TinyServer;
  let client: H2Client;
  beforeAll(async () => {
    server = await TinyServer.start();
    client = await H2Client.open(server.listener.port, { maxSendHeaderBlockLength: 300_000 });
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('gives the answers of HTTP/1.1, without headers of connections', async () => {
    const body = callOf('one', 'two');
    const [over2, over1] = [await client.post(body), await server.send(post(PATH, body))];
    expect(over2.status).toBe(200);
    expect(over2.body).toEqual(over1.body);
    expect(over2.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(over2.body.length),
      'x-request-id': expect.any(String) as string,
      'server-timing': expect.stringContaining('total;dur=') as string,
    });
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) {
      expect(over2.headers).not.toHaveProperty(name);
    }
  });

  test.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
    'never takes the body of a %s for another request',
    async (method) => {
      const body = callOf('one');
      const inner = `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-request-id: inner\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const before = server.servable.calls.length;
      // A value that is the name of the header that is not there.
      const stream = client.stream({
        ':method': method,
        ':path': '/health',
        'x-a': 'content-length',
      });
      stream.end(inner);
      await responseOf(stream);
      for (let after = 0; after < 3; after += 1) {
        const { headers, body: answer } = await client.get('/v2');
        expect(JSON.parse(answer.toString())).toMatchObject({ name: 'tensorgate' });
        expect(headers['x-request-id']).not.toBe('inner');
      }
      expect(server.servable.calls).toHaveLength(before);
    },
  );

  test('takes as many header fields as HTTP/1.1 does', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x-${at}`, '1']));
    expect((await client.get('/health', many)).status).toBe(200);
  });

  test('carries big answers, and many at once, whole and in order', async () => {
    const inputs = Array.from({ length: 1024 }, (_, index) => `text ${index}`.repeat(3));
    const [big, ...small] = await Promise.all([
      client.post(callOf(...inputs)),
      ...inputs.map((input) => client.post(callOf(input))),
    ]);
    expect(embeddingsOf(big)).toEqual(inputs.map(tinyEmbedding));
    expect(small.map((response) => embeddingsOf(response)[0])).toEqual(inputs.map(tinyEmbedding));
  });

  test('takes headers as HTTP/1.1 does', async () => {
    const response = await client.get('/v2', { 'x-request-id': ['a', 'b'], te: 'trailers' });
    expect(response.headers['x-request-id']).toBe('a, b');
    expect((await client.get('//v2/?x=1')).status).toBe(200);
    const models = await client.get('/v3/models/org%2Ftiny');
    expect(JSON.parse(models.body.toString())).toMatchObject({ id: 'org/tiny' });
  });

  test('answers HEAD and 204 without a body', async () => {
    const head = await client.get('/v2', { ':method': 'HEAD' });
    expect([head.status, head.body.length, head.code]).toEqual([200, 0, 0]);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const options = await client.get(PATH, { ':method': 'OPTIONS' });
    expect([options.status, options.headers.allow, options.code]).toEqual([204, 'POST', 0]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['an unknown path', { ':path': '/nope' }, 404],
    ['a wrong method', { ':method': 'DELETE', ':path': PATH }, 405],
    ['an unknown method', { ':method': 'FETCH', ':path': '/v2' }, 400],
    ['a method that HTTP/1.1 could not carry', { ':method': 'GET / HTTP/1.1', ':path': '/' }, 400],
    ['a path of other characters', { ':path': '/v2 HTTP/1.1' }, 400],
    ['too long headers', { ':path': '/v2', long: 'a'.repeat(20_000) }, 431],
    ['far too long headers', { ':path': '/v2', long: 'a'.repeat(90_000) }, 431],
  ])('answers %s in JSON, or ends the stream', async (_name, headers, status) => {
    const response = await client.get('/', headers);
    // What isn't HTTP/2 either is refused by the frame layer.
    if (response.status === undefined) {
      expect(response.code).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
      expect(status).toBe(400);
      return;
    }
    expect(response.status).toBe(status);
    expect(codeOf(response)).toEqual(expect.any(String));
    expect(response.headers).toHaveProperty('x-request-id');
  });

  test('refuses CONNECT', async () => {
    const stream = client.stream({ ':method': 'CONNECT', ':authority': 'example.org:443' });
    const response = await responseOf(stream.end());
    expect([response.status, codeOf(response)]).toEqual([405, 'method_not_allowed']);
  });

  describe('uploads', () => {
    test.each([
      ['announced', {}],
      ['unannounced', { 'content-length': undefined }],
    ])('%s pass at the limit and not one byte beyond', async (_name, headers) => {
      expect((await client.post(bodyOfBytes(2_000_000), headers)).status).toBe(200);
      const beyond = await client.post(bodyOfBytes(2_000_001), headers);
      expect([beyond.status, codeOf(beyond)]).toEqual([413, 'body_too_large']);
    });

    test('announced too long get their answer before their body', async () => {
      const stream = client.stream({ ...POST, 'content-length': 5_000_000 });
      const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      expect(headers[':status']).toBe(413);
      const whole = responseOf(stream);
      stream.end('x'.repeat(5_000_000));
      const response = await whole;
      expect([codeOf(response), response.code]).toEqual(['body_too_large', 0]);
    });

    test('wait for 100 Continue, which only a legal one gets', async () => {
      const body = callOf('x');
      const expecting = { ...POST, expect: '100-continue' };
      const legal = client.stream({ ...expecting, 'content-length': body.length });
      await once(legal, 'continue');
      legal.end(body);
      expect((await responseOf(legal)).status).toBe(200);
      const illegal = client.stream({ ...expecting, 'content-length': 2_000_001 });
      let continues = 0;
      illegal.on('continue', () => (continues += 1));
      const [headers] = (await once(illegal, 'response')) as [IncomingHttpHeaders];
      illegal.close();
      expect([headers[':status'], continues]).toEqual([413, 0]);
    });

    test('with an empty body are no JSON', async () => {
      const response = await responseOf(client.stream(POST, { endStream: true }));
      expect([response.status, codeOf(response)]).toEqual([400, 'invalid_json']);
    });

    test('of a method without a body do no harm to the next request', async () => {
      const stream = client.stream({ ':method': 'GET', ':path': '/v2' });
      stream.end('GET /nope HTTP/1.1\r\nhost: x\r\n\r\n');
      expect((await responseOf(stream)).status).toBe(200);
      expect((await client.get('/v2')).status).toBe(200);
    });
  });
});

describe('a client of HTTP/2 that goes away', () => {
  async function begun(): Promise<{
    server: TinyServer;
    client: H2Client;
    stream: ClientHttp2Stream;
    open: () => void;
  }> {
    const server = await TinyServer.start();
    const gate = openGate();
    server.servable.until = gate.opened;
    const client = await H2Client.open(server.listener.port);
    const stream = client.stream(POST);
    stream.on('error', () => undefined);
    stream.end(callOf('x'));
    while (server.servable.calls.length === 0) await server.arrived(1);
    return { server, client, stream, open: gate.open };
  }

  test.each<[string, (client: H2Client, stream: ClientHttp2Stream) => void]>([
    [
      'with one stream',
      (_client, stream) => {
        stream.close(constants.NGHTTP2_CANCEL);
      },
    ],
    [
      'with its connection',
      (client) => {
        client.close();
      },
    ],
  ])('%s aborts the work for it', async (_name, leave) => {
    const { server, client, stream, open } = await begun();
    const { signal } = server.servable.calls[0]?.options.scope ?? {};
    leave(client, stream);
    await server.app.idle();
    expect(signal?.reason).toMatchObject({ code: 'client_closed' });
    open();
    // The others of the connection are served.
    if (!client.session.destroyed) expect((await client.get('/v2')).status).toBe(200);
    client.close();
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('in the middle of an upload ends the request', async () => {
    const server = await TinyServer.start();
    const client = await H2Client.open(server.listener.port);
    const stream = client.stream({ ...POST, 'content-length': 1_000 });
    stream.on('error', () => undefined);
    stream.write('{');
    await server.arrived(1);
    stream.close(constants.NGHTTP2_CANCEL);
    await server.app.idle();
    expect(server.servable.calls).toHaveLength(0);
    client.close();
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });
});
