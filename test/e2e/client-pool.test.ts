import { jest } from '@jest/globals';
import {
  Endpoint,
  EndpointPool,
  HttpClientWrapper,
  PerformanceClient,
} from '../../src/client/index.ts';
import { pickByTicket } from '../../src/client/splitmix64.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  turns,
  type Responder,
} from '../support/recording-stub.ts';

let stubs: RecordingStub[] = [];
let pool: EndpointPool;
let wrapper: HttpClientWrapper;
/** Status of `/health`, and of other requests, by member. */
let health: number[];
let responders: (Responder | null)[];

beforeEach(() => {
  wrapper = new HttpClientWrapper();
});

afterEach(async () => {
  jest.useRealTimers();
  pool.close();
  wrapper.close();
  for (const stub of stubs) await stub.close();
});

interface PoolOptions {
  readonly weights?: number[];
  readonly endpoint?: (url: string) => Endpoint;
}

/** Opens a pool of stubs, and resolves when the first round of health checks is over. */
async function openPool(count: number, { weights, endpoint }: PoolOptions = {}): Promise<void> {
  health = Array<number>(count).fill(200);
  responders = Array<null>(count).fill(null);
  stubs = [];
  for (let at = 0; at < count; at++) {
    stubs.push(
      await RecordingStub.open((request, response, number) => {
        if (/^\/(?:health|deep|ready)/.test(request.path)) sendJson(response, {}, health[at]);
        else return (responders[at] ?? answerAnything)(request, response, number);
        return undefined;
      }),
    );
  }
  const make = endpoint ?? ((url: string): Endpoint => new Endpoint(url, 'health-key', wrapper));
  pool = new EndpointPool(
    stubs.map(({ url }) => make(url)),
    weights ?? null,
  );
  await Promise.all(stubs.map((stub) => stub.waitFor(1)));
  await turns(5);
}

function client(): PerformanceClient {
  return new PerformanceClient('http://unused', { apiKey: 'key', endpointPool: pool });
}

/** Requests of each member, health checks not counted. */
function counts(): number[] {
  return stubs.map(({ requests }) => requests.filter(({ path }) => path === '/x').length);
}

describe('EndpointPool', () => {
  test('spreads requests in the documented order', async () => {
    await openPool(3);
    const order: number[] = [];
    responders = responders.map((_, at): Responder => (request, response) => {
      order.push(at);
      answerAnything(request, response);
    });
    await client().batchPost('/x', Array(60).fill(1), { maxConcurrentRequests: 1 });
    const expected = Array.from({ length: 60 }, (_, ticket) => pickByTicket(ticket, [1, 1, 1]));
    expect(order).toEqual(expected);
    expect(Math.min(...counts())).toBeGreaterThan(10);
  });

  test('weights of 0 get nothing, fractional ones their share', async () => {
    await openPool(3, { weights: [0.5, 0, 1.5] });
    await client().batchPost('/x', Array(200).fill(1));
    const [first = 0, second, third = 0] = counts();
    expect(second).toBe(0);
    expect(third / first).toBeGreaterThan(1.8);
    expect(third / first).toBeLessThan(5);
  });

  test('requests carry the client’s key, health checks the member’s', async () => {
    await openPool(1);
    await client().batchPost('/x', [1]);
    expect(stubs[0]?.requests.map(({ path, headers }) => [path, headers['authorization']])).toEqual(
      [
        ['/health', 'Bearer health-key'],
        ['/x', 'Bearer key'],
      ],
    );
  });

  test('a retry uses another member', async () => {
    await openPool(2);
    for (const at of [0, 1]) {
      responders[at] = (request, response) => {
        if (counts().every((count) => count > 0)) answerAnything(request, response);
        else sendJson(response, {}, 500);
      };
    }
    await client().batchPost('/x', [1], { initialBackoffMs: 50 });
    expect(counts()).toEqual([1, 1]);
  });

  test('a hedge uses another member', async () => {
    await openPool(2);
    for (const at of [0, 1]) {
      responders[at] = (request, response) => {
        if (counts().every((count) => count > 0)) answerAnything(request, response);
      };
    }
    await client().batchPost('/x', [1], { hedgeDelay: 0.05 });
    expect(counts()).toEqual([1, 1]);
  });

  test('pinInitialEndpointOnce keeps a call on a member, and spreads calls', async () => {
    await openPool(3);
    const members = new Set<number>();
    for (let call = 0; call < 24; call++) {
      const before = counts();
      await client().batchPost('/x', [1, 2, 3, 4], { pinInitialEndpointOnce: true });
      const grown = counts().map((count, at) => count - (before[at] ?? 0));
      expect(grown.filter((count) => count > 0)).toEqual([4]);
      members.add(grown.indexOf(4));
    }
    expect(members.size).toBe(3);
  });

  test('members that are not well get nothing, unless all are not', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await openPool(2);
    health = [503, 200];
    await nextRound();
    expect(pool.healthSnapshot().map(({ healthy }) => healthy)).toEqual([false, true]);
    await client().batchPost('/x', Array(20).fill(1));
    expect(counts()).toEqual([0, 20]);
    health = [200, 200];
    await nextRound();
    expect(pool.healthSnapshot().map(({ healthy }) => healthy)).toEqual([true, true]);
    health = [503, 503];
    await nextRound();
    await client().batchPost('/x', Array(20).fill(1));
    expect(counts()[0]).toBeGreaterThan(0);
  });

  test('close() ends the checks', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await openPool(2);
    pool.close();
    wrapper.close();
    expect(jest.getTimerCount()).toBe(0);
  });
});

/** Lets time pass until each member's next round of checks is over, its tries and pauses too. */
async function nextRound(): Promise<void> {
  const before = stubs.map(({ requests }) => requests.length);
  jest.advanceTimersByTime(10_000);
  for (const [at, stub] of stubs.entries()) {
    // One try if the member is well, else three.
    const tries = (health[at] ?? 200) < 300 ? 1 : 3;
    for (let round = 1; round <= tries; round++) {
      await stub.waitFor((before[at] ?? 0) + round);
      await turns(10);
      if (round < tries) jest.advanceTimersByTime(200);
    }
  }
  await turns(10);
}

describe('health checks', () => {
  const fast = { interval: 0.1, timeout: 0.1 };

  /** Resolves when a member's health is as said. */
  async function becomes(healthy: boolean): Promise<void> {
    while (pool.healthSnapshot()[0]?.healthy !== healthy) await turns(1);
  }

  test('ask the given path and the deep URL, every round', async () => {
    await openPool(1, {
      endpoint: (url) => new Endpoint(url, 'k', wrapper, `${url}/deep?a`, 'ready', fast.interval),
    });
    await stubs[0]?.waitFor(4);
    expect(stubs[0]?.requests.slice(0, 4).map(({ path, method }) => `${method} ${path}`)).toEqual([
      'GET /ready',
      'GET /deep?a',
      'GET /ready',
      'GET /deep?a',
    ]);
  });

  test('both checks run unless healthFailOnFirst', async () => {
    await openPool(1, {
      endpoint: (url) =>
        new Endpoint(url, 'k', wrapper, `${url}/deep`, null, fast.interval, null, 0, true),
    });
    health = [503];
    await becomes(false);
    const before = stubs[0]?.requests.length ?? 0;
    await stubs[0]?.waitFor(before + 3);
    expect(stubs[0]?.requests.slice(before).every(({ path }) => path === '/health')).toBe(true);
  });

  test('a retry that succeeds makes a check healthy', async () => {
    await openPool(1, {
      endpoint: (url) => new Endpoint(url, 'k', wrapper, null, null, fast.interval, null, 1),
    });
    const stub = stubs[0];
    const seen = stub?.requests.length ?? 0;
    health = [503];
    await stub?.waitFor(seen + 1);
    health = [200];
    await stub?.waitFor(seen + 3);
    expect(pool.healthSnapshot()[0]?.healthy).toBe(true);
  });

  test.each([
    [null, true],
    [false, false],
  ])('a timeout with timeoutIsNoVote %j leaves the member healthy: %s', async (noVote, healthy) => {
    const held = await RecordingStub.open(() => undefined);
    pool = new EndpointPool([
      new Endpoint(
        held.url,
        'k',
        wrapper,
        null,
        null,
        fast.interval,
        fast.timeout,
        0,
        null,
        noVote,
      ),
    ]);
    stubs = [held];
    await held.waitFor(2);
    await turns(5);
    expect(pool.healthSnapshot()[0]?.healthy).toBe(healthy);
  });
});
