import type { ServerResponse } from 'node:http';
import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  type Responder,
  type Recorded,
} from '../support/recording-stub.ts';

let stub: RecordingStub;

afterEach(async () => {
  await stub.close();
});

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}

async function embed(
  responder: Responder,
  preference: PreferenceOptions,
  input: string[] = ['a'],
): Promise<{ data: { embedding: unknown }[] }> {
  stub = await RecordingStub.open(responder);
  const client = new PerformanceClient(stub.url, 'key');
  return await client.embed(input, 'm', null, null, null, {
    batchSize: 1,
    hedgeDelay: 0.05,
    ...preference,
  });
}

/** Answers a request once its text has been seen before, so hedges alone. */
function hedgesOnly(): Responder {
  const seen = new Set<string>();
  return (request, response) => {
    if (seen.has(request.body)) answerAnything(request, response);
    seen.add(request.body);
  };
}

describe('hedging', () => {
  test('sends an identical second request, takes its answer and closes the first', async () => {
    await embed(hedgesOnly(), {});
    expect(stub.requests).toHaveLength(2);
    const [first, second] = stub.requests.map(({ headers, body }) => ({
      body,
      headers: { ...headers, 'request-deadline-ms': '' },
    }));
    expect(second).toEqual(first);
    await stub.until(() => stub.aborted === 1 && stub.openConnections === 1);
  });

  test('gives the hedge a fresh deadline, and an id of its own if asked', async () => {
    await embed(hedgesOnly(), { attemptIds: true });
    const [first, second] = stub.requests.map(({ headers }) => headers);
    expect(Number(second?.['request-deadline-ms'])).toBeGreaterThan(
      Number(first?.['request-deadline-ms']),
    );
    expect(second?.['x-baseten-customer-request-id']).toMatch(/-0-hedge-1$/);
  });

  test.each([
    [40, 0.1, 5],
    [200, 0.05, 11],
    [3, 0.1, 2],
    [3, 0, 0],
  ])('%i stalled batches at %d share give exactly %i hedges', async (count, pct, hedges) => {
    const held: (() => void)[] = [];
    const seen = new Set<string>();
    const call = embed(
      (request, response) => {
        if (seen.has(request.body)) answerAnything(request, response);
        else {
          seen.add(request.body);
          held.push(() => {
            answerAnything(request, response);
          });
        }
      },
      { hedgeBudgetPct: pct },
      texts(count),
    );
    // The stub is there after a turn; then all requests, and those hedges that there will be.
    await new Promise((resolve) => setImmediate(resolve));
    await stub.waitFor(count + hedges);
    const release = new PerformanceClient(stub.url, 'key');
    // Time for a hedge too many: a call of its own, three hedge delays long.
    await release
      .embed(['probe'], 'm', null, null, null, { timeoutS: 0.15, maxRetries: 0 })
      .catch(() => undefined);
    for (const answer of held) answer();
    await call;
    expect(stub.requests).toHaveLength(count + hedges + 1);
  });

  test('the first head or error wins, a fast 500 too', async () => {
    function responder(request: Recorded, response: ServerResponse, number: number): void {
      if (number === 1) sendJson(response, {}, 500);
      else if (number > 1) answerAnything(request, response);
    }
    await embed(responder, { initialBackoffMs: 50 });
    expect(stub.requests).toHaveLength(3);
    await stub.until(() => stub.aborted === 1);
  });

  test('a late head of the first leg wins if the hedge has none yet', async () => {
    async function responder(
      request: Recorded,
      response: ServerResponse,
      number: number,
    ): Promise<void> {
      if (number > 0) return;
      await stub.waitFor(2);
      answerAnything(request, response);
    }
    await embed(responder, {});
    expect(stub.requests).toHaveLength(2);
    await stub.until(() => stub.aborted === 1);
  });

  test('is allowed on the first two attempts, not on the third', async () => {
    async function responder(
      request: Recorded,
      response: ServerResponse,
      number: number,
    ): Promise<void> {
      // Attempts come as 0, 2 and 4; their hedges as 1 and 3.
      if (number % 2 === 1) sendJson(response, {}, 500);
      if (number === 4) {
        await new Promise((resolve) => setTimeout(resolve, 120));
        answerAnything(request, response);
      }
    }
    await embed(responder, { initialBackoffMs: 50 });
    expect(stub.requests).toHaveLength(5);
  });

  test('each leg has its own timeout', async () => {
    const call = embed(() => undefined, { timeoutS: 0.2, maxRetries: 0 });
    await expect(call).rejects.toMatchObject({
      kind: 'remote_timeout',
      customerRequestId: expect.any(String) as string,
    });
    expect(stub.requests).toHaveLength(2);
    await stub.until(() => stub.aborted === 2);
  });

  test('5 stalled batches of 100 cost hardly more than the delay', async () => {
    const startMs = performance.now();
    const stalled = new Set(['7', '23', '42', '64', '99']);
    const seen = new Set<string>();
    function responder(request: Recorded, response: ServerResponse): void {
      const [text = ''] = (JSON.parse(request.body) as { input: string[] }).input;
      if (!stalled.has(text) || seen.has(text)) answerAnything(request, response);
      seen.add(text);
    }
    const { data } = await embed(responder, { hedgeDelay: 0.5 }, texts(100));
    expect(data).toHaveLength(100);
    expect(stub.requests).toHaveLength(105);
    expect(performance.now() - startMs).toBeLessThan(2500);
  });
});
