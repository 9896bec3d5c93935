import { Http1Transport } from '../../src/client/http1/http1-transport.ts';
import { Http2Transport } from '../../src/client/http2/http2-transport.ts';
import { FetchTransport } from '../../src/client/fetch-transport.ts';
import { withRedirects } from '../../src/client/redirects.ts';
import { ProxyChoice } from '../../src/client/sockets/proxy.ts';
import type {
  Exchange,
  ResponseHead,
  Transport,
  TransportError,
  WireRequest,
} from '../../src/client/transport.ts';
import { RecordingStub, sendJson, turns, type Responder } from '../support/recording-stub.ts';

const noProxies = new ProxyChoice(null, () => undefined);

interface Made {
  readonly name: string;
  readonly httpVersion: 1 | 2;
  readonly open: () => Transport;
}

const TRANSPORTS: readonly Made[] = [
  { name: 'HTTP/1.1', httpVersion: 1, open: () => withRedirects(new Http1Transport(noProxies)) },
  { name: 'HTTP/2', httpVersion: 2, open: () => withRedirects(new Http2Transport(noProxies)) },
  { name: 'fetch', httpVersion: 1, open: () => new FetchTransport(fetch) },
];

interface Answer {
  readonly head: ResponseHead;
  readonly body: Buffer;
}

interface Sent {
  readonly answer: Promise<Answer>;
  readonly exchange: Exchange;
  readonly head: Promise<ResponseHead>;
}

/** Sends a request, and checks that the sink is called as promised. */
function send(transport: Transport, request: WireRequest): Sent {
  let exchange!: Exchange;
  let inSend = true;
  let headResolve!: (head: ResponseHead) => void;
  const head = new Promise<ResponseHead>((resolve) => (headResolve = resolve));
  const answer = new Promise<Answer>((resolve, reject) => {
    let seen: ResponseHead | null = null;
    let over = false;
    const chunks: Buffer[] = [];
    function once(): void {
      expect(inSend).toBe(false);
      expect(over).toBe(false);
    }
    exchange = transport.send(request, {
      onHead: (given) => {
        once();
        expect(seen).toBeNull();
        seen = given;
        headResolve(given);
      },
      onBody: (chunk) => {
        once();
        chunks.push(Buffer.from(new Uint8Array(chunk)));
      },
      onEnd: () => {
        once();
        over = true;
        if (seen) resolve({ head: seen, body: Buffer.concat(chunks) });
      },
      onError: (error: TransportError) => {
        once();
        over = true;
        reject(error);
      },
    });
  });
  inSend = false;
  answer.catch(() => undefined);
  return { answer, exchange, head };
}

describe.each(TRANSPORTS)('Transport: $name', ({ name, httpVersion, open }) => {
  let stub: RecordingStub;
  let transport: Transport;
  let respond: Responder;

  beforeEach(async () => {
    respond = (request, response) => {
      sendJson(response, { path: request.path });
    };
    stub = await RecordingStub.open((...args) => respond(...args), httpVersion);
    transport = open();
  });

  afterEach(async () => {
    transport.close();
    await stub.close();
  });

  function request(changes: Partial<WireRequest> = {}): WireRequest {
    const body = Buffer.from('{"a":"é"}');
    const headers = { 'content-type': 'application/json', 'x-own': 'b' };
    return { method: 'POST', url: `${stub.url}/x?y=1`, headers, body, ...changes };
  }

  test('sends method, path, headers and body', async () => {
    const { head, body } = await send(transport, request()).answer;
    expect(head.status).toBe(200);
    expect(head.headers['content-type']).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual({ path: '/x?y=1' });
    expect(stub.requests[0]).toMatchObject({ method: 'POST', path: '/x?y=1', body: '{"a":"é"}' });
    expect(stub.requests[0]?.headers).toMatchObject({ 'x-own': 'b', 'content-length': '10' });
  });

  test.each(['GET', 'DELETE', 'OPTIONS'])('sends %s without a body', async (method) => {
    await send(transport, request({ method, headers: {}, body: null })).answer;
    expect(stub.requests[0]).toMatchObject({ method, body: '' });
  });

  test('HEAD has no body in its answer', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'x-a': '1' });
      response.end();
    };
    const { head, body } = await send(transport, request({ method: 'HEAD', body: null })).answer;
    expect(head.headers['x-a']).toBe('1');
    expect(body).toHaveLength(0);
  });

  test.each([204, 304, 400, 500])('gives an answer of %i', async (status) => {
    respond = (_request, response) => {
      response.writeHead(status, { 'x-a': '1' });
      response.end();
    };
    expect((await send(transport, request()).answer).head.status).toBe(status);
  });

  test('puts large bodies together, up and down', async () => {
    const large = Buffer.alloc(3_000_000, 'abcdefghij');
    respond = ({ body }, response) => {
      response.writeHead(200);
      response.end(body);
    };
    const { body } = await send(transport, request({ body: large })).answer;
    expect(body.equals(large)).toBe(true);
  });

  test('gives the head before the body, and chunks as they come', async () => {
    let finish: (() => void) | null = null;
    respond = (_request, response) => {
      response.writeHead(200);
      response.write('first,');
      finish = () => {
        response.end('second');
      };
    };
    const { answer, head } = send(transport, request());
    expect((await head).status).toBe(200);
    (finish as (() => void) | null)?.();
    expect((await answer).body.toString()).toBe('first,second');
  });

  test('a request after another uses the same connection', async () => {
    for (let i = 0; i < 5; i++) await send(transport, request()).answer;
    // The platform's fetch may open another one while it gives the first back.
    expect(stub.connections).toBeLessThanOrEqual(name === 'fetch' ? 2 : 1);
  });

  test('an aborted request says nothing more, and the server sees it go', async () => {
    respond = () => undefined;
    const { answer, exchange } = send(transport, request());
    let settled = false;
    void answer.finally(() => (settled = true)).catch(() => undefined);
    await stub.waitFor(1);
    exchange.abort();
    exchange.abort();
    await stub.until(() => stub.aborted === 1);
    await turns();
    expect(settled).toBe(false);
  });

  test('an abort while connecting is quiet, too', async () => {
    const { answer, exchange } = send(transport, request());
    let settled = false;
    void answer.finally(() => (settled = true)).catch(() => undefined);
    exchange.abort();
    await turns(10);
    expect(settled).toBe(false);
  });

  test('a connection that is cut in the body is a network error', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('abc');
    };
    const { answer, head } = send(transport, request());
    await head;
    stub.cut();
    await expect(answer).rejects.toMatchObject({ kind: 'network', retryable: true });
  });

  test('a server that is not there is a connect error', async () => {
    const toNobody = request();
    await stub.close();
    await expect(send(transport, toNobody).answer).rejects.toMatchObject({
      kind: 'connect',
    });
    stub = await RecordingStub.open();
  });

  test.each([301, 302, 303])('after %i a POST becomes a GET', async (status) => {
    respond = ({ path }, response) => {
      if (path === '/y') sendJson(response, { path });
      else response.writeHead(status, { location: '/y' }).end('moved');
    };
    const { body } = await send(transport, request()).answer;
    expect(JSON.parse(body.toString())).toEqual({ path: '/y' });
    expect(stub.requests[1]).toMatchObject({ method: 'GET', path: '/y', body: '' });
    expect(stub.requests[1]?.headers).toMatchObject({ 'x-own': 'b' });
    expect(stub.requests[1]?.headers).not.toHaveProperty('content-type');
  });

  test.each([307, 308])('after %i a POST stays one', async (status) => {
    respond = ({ path }, response) => {
      if (path === '/y') sendJson(response, { path });
      else response.writeHead(status, { location: 'y' }).end();
    };
    await send(transport, request()).answer;
    expect(stub.requests[1]).toMatchObject({ method: 'POST', path: '/y', body: '{"a":"é"}' });
  });

  test('authorization stays with its host', async () => {
    const other = await RecordingStub.open(undefined, httpVersion);
    respond = (_request, response) => {
      response.writeHead(307, { location: `${other.url}/y` }).end();
    };
    await send(transport, request({ headers: { authorization: 'Bearer key', 'x-own': 'b' } }))
      .answer;
    expect(other.requests[0]?.headers).toMatchObject({ 'x-own': 'b' });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    await other.close();
  });
});

describe('withRedirects()', () => {
  test('the 11th redirect is an error that no retry helps', async () => {
    const stub = await RecordingStub.open(({ path }, response) => {
      response.writeHead(307, { location: `/${Number(path.slice(1)) + 1}` }).end();
    });
    const transport = withRedirects(new Http1Transport(noProxies));
    const { answer } = send(transport, {
      method: 'GET',
      url: `${stub.url}/0`,
      headers: {},
      body: null,
    });
    await expect(answer).rejects.toMatchObject({ kind: 'network', retryable: false });
    expect(stub.requests).toHaveLength(11);
    transport.close();
    await stub.close();
  });
});
