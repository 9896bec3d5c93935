import { once } from 'node:events';
import { connect as connectH2 } from 'node:http2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { HttpClientWrapper, PerformanceClient } from '../../src/client/index.ts';
import { Http1Transport } from '../../src/client/http1/http1-transport.ts';
import { Http2Transport } from '../../src/client/http2/http2-transport.ts';
import { ProxyChoice } from '../../src/client/sockets/proxy.ts';
import { answerAnything, RecordingStub, turns } from '../support/recording-stub.ts';

const noProxies = new ProxyChoice(null, () => undefined);

/** Sends so many GET requests at once; resolves when all are answered. */
async function sendMany(
  transport: Http1Transport | Http2Transport,
  url: string,
  count: number,
): Promise<void> {
  function one(): Promise<void> {
    return new Promise((resolve, reject) => {
      transport.send(
        { method: 'GET', url, headers: {}, body: null },
        { onHead: () => undefined, onBody: () => undefined, onEnd: resolve, onError: reject },
      );
    });
  }
  await Promise.all(Array.from({ length: count }, one));
}

/** A stub that answers when `count` requests are open. */
async function gatheringStub(count: number, httpVersion: 1 | 2 = 1): Promise<RecordingStub> {
  const stub = await RecordingStub.open(async (request, response) => {
    await stub.waitFor(count);
    answerAnything(request, response);
  }, httpVersion);
  return stub;
}

describe('HTTP/1.1', () => {
  test('600 requests in flight take 600 connections, of which 512 are kept', async () => {
    const stub = await gatheringStub(600);
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, stub.url, 600);
    expect(stub.connections).toBe(600);
    expect(transport.connections()).toEqual({ open: 512, idle: 512 });
    transport.close();
    expect(transport.connections()).toEqual({ open: 0, idle: 0 });
    await stub.close();
  });

  test('the newest idle connection is used first', async () => {
    const stub = await gatheringStub(3);
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, stub.url, 3);
    for (let i = 0; i < 3; i++) await sendMany(transport, stub.url, 1);
    const used = stub.requests.slice(3).map(({ connection }) => connection);
    expect(new Set(used).size).toBe(1);
    transport.close();
    await stub.close();
  });

  test.each([
    ['30 s', null, 30_000],
    ['less than the server’s timeout', 'timeout=5, max=9', 4000],
    ['30 s at most', 'timeout=75', 30_000],
    ['no time for a timeout of 1 s', 'timeout=1', 0],
  ])('an idle connection is kept for %s', async (_, keepAlive, ms) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const stub = await RecordingStub.open((_request, response) => {
      if (keepAlive === null) response.shouldKeepAlive = true;
      response.writeHead(200, {
        'content-length': '0',
        ...(keepAlive === null ? {} : { 'keep-alive': keepAlive }),
      });
      response.end();
    });
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, stub.url, 1);
    if (ms > 0) {
      jest.advanceTimersByTime(ms - 1);
      expect(transport.connections().idle).toBe(1);
      jest.advanceTimersByTime(1);
    }
    expect(transport.connections()).toEqual({ open: 0, idle: 0 });
    jest.useRealTimers();
    await stub.until(() => stub.openConnections === 0);
    await stub.close();
  });

  test('a connection that the server closes while idle is not used again', async () => {
    const stub = await RecordingStub.open();
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, stub.url, 1);
    stub.cut();
    while (transport.connections().open > 0) await turns(1);
    await sendMany(transport, stub.url, 1);
    expect(stub.connections).toBe(2);
    transport.close();
    await stub.close();
  });

  test.each([
    ['bytes after an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nx'],
    ['connection: close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ])('%s destroy the socket', async (_, answer) => {
    const raw = await rawServer((socket) => socket.write(answer));
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, raw.url, 1);
    expect(transport.connections()).toEqual({ open: 0, idle: 0 });
    await sendMany(transport, raw.url, 1);
    expect(raw.sockets).toHaveLength(2);
    transport.close();
    await closeServer(raw);
  });

  test('bytes on an idle connection destroy it', async () => {
    const raw = await rawServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    );
    const transport = new Http1Transport(noProxies);
    await sendMany(transport, raw.url, 1);
    expect(transport.connections().idle).toBe(1);
    raw.sockets[0]?.write('HTTP/1.1 408 Timeout\r\n\r\n');
    while (transport.connections().open > 0) await turns(1);
    transport.close();
    await closeServer(raw);
  });

  test('an answer before the end of the upload arrives, and the connection is not kept', async () => {
    const raw = await rawServer((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Payload Too Large\r\ncontent-length: 2\r\n\r\nno');
    });
    const client = new PerformanceClient(raw.url, 'key');
    const call = client.batchPost('/x', ['x'.repeat(20_000_000)]);
    await expect(call).rejects.toMatchObject({ status: 413, body: 'no' });
    await client.close();
    await closeServer(raw);
  });

  test('close() ends what is idle, and lets open requests finish', async () => {
    const stub = await gatheringStub(2);
    const client = new PerformanceClient(stub.url, 'key');
    const calls = [client.batchPost('/x', [1]), client.batchPost('/x', [2])];
    await stub.waitFor(1);
    await client.close();
    await Promise.all(calls);
    await stub.until(() => stub.openConnections === 0);
    await stub.close();
  });

  test('clients that share a wrapper share its connections', async () => {
    const stub = await RecordingStub.open();
    const wrapper = new HttpClientWrapper();
    for (const key of ['a', 'b']) {
      const client = new PerformanceClient(stub.url, { apiKey: key, clientWrapper: wrapper });
      await client.batchPost('/x', [1]);
      await client.close();
    }
    expect(stub.connections).toBe(1);
    wrapper.close();
    await stub.close();
  });
});

describe('HTTP/2', () => {
  test('100 streams are spread over sessions of 8', async () => {
    const stub = await gatheringStub(100, 2);
    const transport = new Http2Transport(noProxies);
    await sendMany(transport, stub.url, 100);
    expect(stub.connections).toBe(13);
    expect(transport.streams()).toEqual(Array<number>(13).fill(0));
    transport.close();
    await stub.until(() => stub.openConnections === 0);
    await stub.close();
  });

  test('beyond 64 sessions the least loaded is taken', async () => {
    const stub = await gatheringStub(64 * 8 + 64, 2);
    const transport = new Http2Transport(noProxies);
    const done = sendMany(transport, stub.url, 64 * 8 + 64);
    expect(transport.streams()).toEqual(Array<number>(64).fill(9));
    await done;
    expect(stub.connections).toBe(64);
    transport.close();
    await stub.close();
  });

  test('a client of version 2 embeds', async () => {
    const stub = await RecordingStub.open(undefined, 2);
    const client = new PerformanceClient(stub.url, 'key', 2);
    const texts = Array.from({ length: 100 }, (_, i) => String(i));
    const { data } = await client.embed(texts, 'm', null, null, null, { batchSize: 1 });
    expect(data.map(({ embedding }) => embedding[0])).toEqual(texts.map(({ length }) => length));
    expect(stub.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key' });
    await client.close();
    await stub.close();
  });

  test('an idle session closes after 30 s', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const stub = await RecordingStub.open(undefined, 2);
    const transport = new Http2Transport(noProxies);
    await sendMany(transport, stub.url, 1);
    jest.advanceTimersByTime(29_999);
    expect(transport.streams()).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(transport.streams()).toHaveLength(0);
    jest.useRealTimers();
    await stub.until(() => stub.openConnections === 0);
    await stub.close();
  });

  test('GOAWAY: the session takes no more streams, and calls go on', async () => {
    const stub = await RecordingStub.open((request, response) => {
      const { stream } = response as unknown as { stream?: { session?: { goaway: () => void } } };
      if (stub.requests.length === 1) stream?.session?.goaway();
      answerAnything(request, response);
    }, 2);
    const client = new PerformanceClient(stub.url, 'key', 2);
    await client.batchPost('/x', [1]);
    await client.batchPost('/x', [2]);
    expect(stub.connections).toBe(2);
    await client.close();
    await stub.close();
  });

  test('speaks without an upgrade, with the announced settings', async () => {
    const stub = await RecordingStub.open(undefined, 2);
    // Another client of the same server, so that it is known to take prior knowledge alone.
    const session = connectH2(stub.url);
    await once(session, 'connect');
    session.close();
    const client = new PerformanceClient(stub.url, 'key', 2);
    expect((await client.batchPost('/x', [1])).data).toHaveLength(1);
    await client.close();
    await stub.close();
  });
});

interface RawServer {
  readonly server: ReturnType<typeof createServer>;
  readonly url: string;
  readonly sockets: Socket[];
}

/** A TCP server that answers the first bytes of each request. */
async function rawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

async function closeServer({ server, sockets }: RawServer): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}
