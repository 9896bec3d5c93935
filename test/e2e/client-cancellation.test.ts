import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import {
  CancellationToken,
  HttpClientWrapper,
  PerformanceClient,
  type PreferenceOptions,
} from '../../src/client/index.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  turns,
  type Responder,
} from '../support/recording-stub.ts';

let stub: RecordingStub;

beforeEach(() => {
  process.env['PERFORMANCE_CLIENT_LOG_LEVEL'] = 'debug';
});

afterEach(async () => {
  delete process.env['PERFORMANCE_CLIENT_LOG_LEVEL'];
  await stub.close();
});

const texts = ['a', 'b', 'c', 'd'];

interface Started {
  readonly call: Promise<unknown>;
  readonly cancel: () => void;
  readonly logged: (message: string) => Promise<void>;
}

type Way = 'token' | 'signal';

async function start(
  way: Way,
  responder: Responder,
  preference: PreferenceOptions = {},
): Promise<Started> {
  stub = await RecordingStub.open(responder);
  const token = new CancellationToken();
  const controller = new AbortController();
  const waiting: { message: string; resolve: () => void }[] = [];
  const client = new PerformanceClient(stub.url, {
    apiKey: 'key',
    logger: {
      debug: (message) => {
        for (const entry of waiting) if (entry.message === message) entry.resolve();
      },
    },
  });
  const call = client.embed(texts, 'm', null, null, null, {
    batchSize: 1,
    maxConcurrentRequests: 2,
    ...preference,
    ...(way === 'token' ? { cancelToken: token } : { signal: controller.signal }),
  });
  call.catch(() => undefined);
  return {
    call,
    cancel: () => {
      if (way === 'token') token.cancel();
      else controller.abort(new Error('why'));
    },
    logged: (message) =>
      new Promise((resolve) => {
        waiting.push({ message, resolve });
      }),
  };
}

/** Cancels, and checks that the call rejects within a turn of the event loop. */
async function rejectsAtOnce({ call, cancel }: Started): Promise<void> {
  let error: unknown = 'pending';
  call.then(
    () => (error = 'resolved'),
    (reason: unknown) => (error = reason),
  );
  cancel();
  await turns(1);
  expect(error).toMatchObject({
    kind: 'cancelled',
    code: 'GenericFailure',
    message: 'Operation cancelled by token',
  });
}

function hold(): void {
  // The client gives up first.
}

describe.each<Way>(['token', 'signal'])('cancelled by %s', (way) => {
  test('while batches wait for slots, and for the head', async () => {
    const started = await start(way, hold);
    await stub.waitFor(2);
    await rejectsAtOnce(started);
    await stub.until(() => stub.aborted === 2 && stub.openConnections === 0);
    expect(stub.requests).toHaveLength(2);
  });

  test('while connecting', async () => {
    const started = await start(way, hold);
    await rejectsAtOnce(started);
    await stub.until(() => stub.openConnections === 0);
    expect(stub.requests).toHaveLength(0);
  });

  test('while a body is read', async () => {
    const started = await start(way, (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{');
    });
    await stub.waitFor(2);
    await turns();
    await rejectsAtOnce(started);
    await stub.until(() => stub.aborted === 2);
  });

  test('in the wait before a retry', async () => {
    const started = await start(
      way,
      (_request, response) => {
        sendJson(response, {}, 500);
      },
      { initialBackoffMs: 45_000 },
    );
    await started.logged('retrying a request');
    await rejectsAtOnce(started);
  });

  test('with a hedge under way', async () => {
    const started = await start(way, hold, { hedgeDelay: 0.05, maxConcurrentRequests: 1 });
    await stub.waitFor(2);
    await rejectsAtOnce(started);
    await stub.until(() => stub.aborted === 2);
  });

  test('with failFast: false, too', async () => {
    const started = await start(way, hold, { failFast: false });
    await stub.waitFor(2);
    await rejectsAtOnce(started);
  });
});

test('a wait for a retry permit can be cancelled', async () => {
  const controller = new AbortController();
  let answered = 0;
  stub = await RecordingStub.open((_request, response) => {
    // The first attempt of each batch fails; retries are held.
    answered += 1;
    if (answered <= 70) sendJson(response, {}, 500);
  });
  const client = new PerformanceClient(stub.url, 'key');
  const call = client.embed(Array<string>(70).fill('a'), 'm', null, null, null, {
    batchSize: 1,
    initialBackoffMs: 50,
    signal: controller.signal,
  });
  const outcome = call.catch((error: unknown) => error);
  // 64 retries have a permit, 6 wait for one.
  await stub.waitFor(70 + 64);
  await turns();
  expect(stub.requests).toHaveLength(134);
  controller.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled' });
  await stub.until(() => stub.aborted === 64);
});

describe('a token', () => {
  test('that is cancelled already rejects every method before anything is sent', async () => {
    stub = await RecordingStub.open();
    const token = new CancellationToken();
    token.cancel();
    const client = new PerformanceClient(stub.url, 'key');
    const preference = { cancelToken: token };
    const calls = [
      client.embed(['a'], 'm', null, null, null, preference),
      client.rerank('q', ['a'], null, null, null, null, null, preference),
      client.classify(['a'], null, null, null, null, preference),
      client.batchPost('/x', [1], preference),
      client.batchSystemOne([1], preference),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(client.embed([], 'm', null, null, null, preference)).rejects.toMatchObject({
      code: 'InvalidArg',
    });
    expect(stub.requests).toEqual([]);
  });

  test('is unchanged after success and after failure, and keeps no listener', async () => {
    stub = await RecordingStub.open((request, response) => {
      if (request.path === '/bad') sendJson(response, {}, 400);
      else answerAnything(request, response);
    });
    const token = new CancellationToken();
    const added = jest.spyOn(token.signal, 'addEventListener');
    const removed = jest.spyOn(token.signal, 'removeEventListener');
    const client = new PerformanceClient(stub.url, 'key');
    await client.batchPost('/x', [1], { cancelToken: token });
    await expect(client.batchPost('/bad', [1], { cancelToken: token })).rejects.toMatchObject({
      status: 400,
    });
    expect(token.isCancelled).toBe(false);
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed).toHaveBeenCalledTimes(2);
  });

  test('keeps the reason of a signal as the cause', async () => {
    stub = await RecordingStub.open(hold);
    const controller = new AbortController();
    const reason = new Error('why');
    const call = new PerformanceClient(stub.url, 'key').batchPost('/x', [1], {
      signal: controller.signal,
    });
    const outcome = call.catch((error: unknown) => error);
    await stub.waitFor(1);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ kind: 'cancelled', cause: reason });
  });
});

test('no timer is left after any end of a call', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const wrapper = new HttpClientWrapper();
    stub = await RecordingStub.open((request, response) => {
      if (request.path === '/bad') sendJson(response, {}, 400);
      else answerAnything(request, response);
    });
    const client = new PerformanceClient(stub.url, { apiKey: 'key', clientWrapper: wrapper });
    const preference = { hedgeDelay: 1, totalTimeoutS: 3600 };
    await client.batchPost('/x', [1, 2, 3], preference);
    await client.batchPost('/bad', [1, 2, 3], preference).catch(() => undefined);
    wrapper.close();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

test('a batch that fails for good closes the requests of the others', async () => {
  stub = await RecordingStub.open(async (request, response) => {
    if (request.body !== '"bad"') return;
    await stub.waitFor(3);
    sendJson(response, {}, 400);
  });
  const call = new PerformanceClient(stub.url, 'key').batchPost('/x', ['a', 'bad', 'c']);
  await expect(call).rejects.toMatchObject({ status: 400, batchIndex: 1 });
  await stub.until(() => stub.aborted === 2);
});

test('a connection that is never accepted does not hold a cancelled call', async () => {
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 });
  await once(server, 'listening');
  stub = await RecordingStub.open();
  const { port } = server.address() as AddressInfo;
  const token = new CancellationToken();
  const call = new PerformanceClient(`http://127.0.0.1:${port}`, 'key').batchPost('/x', [1], {
    cancelToken: token,
  });
  const outcome = call.catch((error: unknown) => error);
  token.cancel();
  expect(await outcome).toMatchObject({ kind: 'cancelled' });
  server.close();
});
