import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import {
  answerAnything,
  RecordingStub,
  type Responder,
  type Recorded,
} from '../support/recording-stub.ts';
import { RetryClock } from '../support/retry-clock.ts';

let stub: RecordingStub | null = null;

afterEach(async () => {
  await stub?.close();
  stub = null;
});

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}

async function embed(
  responder: Responder,
  preference: PreferenceOptions,
  input: string[] = ['a'],
): Promise<unknown> {
  stub = await RecordingStub.open(responder);
  const client = new PerformanceClient(stub.url, 'key');
  return await client.embed(input, 'm', null, null, null, { batchSize: 1, ...preference });
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'resolved',
    (error: unknown) => error,
  );
}

/** Never answers. */
function silent(): void {
  // The client gives up first.
}

/** Sends a head and half a body, and no more. */
function halfBody(_request: Recorded, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"object":');
}

/** Answers all but the first `count` requests. */
function stalling(count: number): Responder {
  return (request, response, number) => {
    if (number >= count) answerAnything(request, response);
  };
}

describe('timeoutS', () => {
  test.each([
    ['before the head', silent],
    ['in the body', halfBody],
  ])('%s is a retryable remote timeout, and closes the connection', async (_, responder) => {
    const error = await failure(
      embed(responder, { timeoutS: 0.1, maxRetries: 1, initialBackoffMs: 50 }),
    );
    expect(error).toMatchObject({
      kind: 'remote_timeout',
      code: 'GenericFailure',
      message: expect.stringMatching(/^Remote timeout: /) as string,
      attempts: 2,
      batchIndex: 0,
      customerRequestId: stub?.requests[0]?.headers['x-baseten-customer-request-id'],
    });
    await stub?.until(() => stub?.aborted === 2 && stub.openConnections === 0);
  });

  test('spends the retry budget: 3 attempts for one batch', async () => {
    await failure(embed(silent, { timeoutS: 0.1, initialBackoffMs: 50 }));
    expect(stub?.requests).toHaveLength(3);
  });

  test('spends the retry budget: the third timeout of 10 batches ends the call', async () => {
    const preference = { timeoutS: 0.2, initialBackoffMs: 45_000 };
    const startMs = performance.now();
    const error = await failure(embed(silent, preference, texts(10)));
    expect(error).toMatchObject({ kind: 'remote_timeout', attempts: 1 });
    expect(stub?.requests).toHaveLength(10);
    expect(performance.now() - startMs).toBeLessThan(5000);
  });

  test('3 stalled batches of 100 succeed through the budget', async () => {
    await embed(stalling(3), { timeoutS: 1, initialBackoffMs: 50 }, texts(100));
    expect(stub?.requests).toHaveLength(103);
  });
});

describe('totalTimeoutS', () => {
  test('aborts everything', async () => {
    const error = await failure(
      embed(silent, { timeoutS: 0.3, totalTimeoutS: 0.3, maxRetries: 0 }, texts(2)),
    );
    expect(error).toMatchObject({
      kind: expect.stringMatching(/^(?:local|remote)_timeout$/) as string,
    });
    await stub?.until(() => stub?.aborted === 2);
  });

  test('has its own kind and message', async () => {
    const preference = { timeoutS: 0.2, totalTimeoutS: 0.3, initialBackoffMs: 45_000 };
    const error = await failure(embed(silent, preference));
    expect(error).toMatchObject({
      kind: 'local_timeout',
      message: 'Local timeout: Total operation timed out after 0.30s',
    });
  });

  test('the budget is spent first: 10 stalled of 100 reject as remote timeouts', async () => {
    const preference = { timeoutS: 0.4, totalTimeoutS: 60, initialBackoffMs: 50 };
    function always(request: Recorded, response: ServerResponse): void {
      const [text = ''] = (JSON.parse(request.body) as { input: string[] }).input;
      if (Number(text) >= 10) answerAnything(request, response);
    }
    const error = await failure(embed(always, preference, texts(100)));
    expect(error).toMatchObject({ kind: 'remote_timeout' });
    // 100, and at most the 6 of the budget.
    expect(stub?.requests.length).toBeLessThanOrEqual(106);
  });

  test('turns what is unfinished into entries with failFast: false', async () => {
    const preference = {
      timeoutS: 0.5,
      totalTimeoutS: 0.5,
      failFast: false,
      maxRetries: 0,
      maxConcurrentRequests: 2,
    };
    function onlyFirst(request: Recorded, response: ServerResponse, number: number): void {
      if (number === 0) answerAnything(request, response);
    }
    const response = (await embed(onlyFirst, preference, texts(4))) as {
      data: unknown[];
      errors: { batchIndex: number; error: { kind: string } }[];
    };
    expect(response.data).toHaveLength(1);
    expect(response.errors).toHaveLength(3);
    expect(response.errors.at(-1)).toMatchObject({ error: { kind: 'local_timeout' } });
  });
});

describe('a server that cannot be reached', () => {
  test('fails after 3 attempts, whatever the budget, and soon', async () => {
    const startMs = performance.now();
    const closed = await closedPort();
    const client = new PerformanceClient(`http://127.0.0.1:${closed}`, 'key');
    const error = await failure(client.embed(texts(1000), 'm', null, null, null, { batchSize: 1 }));
    expect(error).toMatchObject({ kind: 'connect', code: 'GenericFailure', attempts: 3 });
    const { message } = error as Error;
    expect(message).toContain('(Connect)');
    expect(message).toContain('Type: Connection error');
    expect(message).toMatch(/Request ID: perfclient-[0-9a-f]{10}-\d+-0/);
    expect(performance.now() - startMs).toBeLessThan(5000);
  });

  test('a name that does not exist is a connect error', async () => {
    const client = new PerformanceClient('http://no-such-host.invalid', 'key');
    const call = client.embed(['a'], 'm', null, null, null, { maxRetries: 0 });
    expect(await failure(call)).toMatchObject({ kind: 'connect', attempts: 1 });
  });
});

describe('broken connections', () => {
  let clock: RetryClock;
  let server: Server;
  let seen: number;

  beforeEach(() => {
    clock = new RetryClock();
    seen = 0;
  });

  afterEach(async () => {
    clock.close();
    server.close();
    await once(server, 'close');
  });

  /** A server that resets the first `count` connections when a request comes, then answers. */
  async function resetting(count: number, before = ''): Promise<PerformanceClient> {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        seen += 1;
        const body = JSON.stringify({ ok: true });
        if (seen > count) {
          socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        } else if (before === '') socket.resetAndDestroy();
        else socket.write(before, () => socket.resetAndDestroy());
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new PerformanceClient(`http://127.0.0.1:${port}`, {
      apiKey: 'key',
      logger: clock.logger,
    });
  }

  test.each([
    ['before the head', ''],
    ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'],
    ['in a chunked body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{'],
  ])('one reset %s is free', async (_, before) => {
    const client = await resetting(1, before);
    expect((await client.batchPost('/x', [1])).data).toEqual([{ ok: true }]);
    expect(clock.waitsMs).toEqual([125]);
  });

  test('endless resets end by the budget: one free, two paid', async () => {
    const client = await resetting(Infinity);
    const error = await failure(client.batchPost('/x', [1]));
    expect(error).toMatchObject({ kind: 'network', attempts: 4 });
    expect(seen).toBe(4);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
