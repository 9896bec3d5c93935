import type { ServerResponse } from 'node:http';
import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  type Recorded,
  type Responder,
} from '../support/recording-stub.ts';
import { RetryClock } from '../support/retry-clock.ts';

let clock: RetryClock;
let stub: RecordingStub;

beforeEach(() => {
  clock = new RetryClock();
});

afterEach(async () => {
  clock.close();
  await stub.close();
});

/** Answers with these statuses, then as asked. */
function statuses(...list: number[]): Responder {
  return (request, response, number) => {
    const status = list[number];
    if (status === undefined) answerAnything(request, response);
    else sendJson(response, { error: { message: 'no', code: 'test_code' } }, status);
  };
}

async function embed(
  responder: Responder,
  preference: PreferenceOptions = {},
  input: string[] = ['a'],
): Promise<unknown> {
  stub = await RecordingStub.open(responder);
  const client = new PerformanceClient(stub.url, { apiKey: 'key', logger: clock.logger });
  return await client.embed(input, 'm', null, null, null, preference);
}

async function failure(
  responder: Responder,
  preference: PreferenceOptions = {},
  input: string[] = ['a'],
): Promise<unknown> {
  return await embed(responder, preference, input).then(
    () => 'resolved',
    (error: unknown) => error,
  );
}

describe('retries', () => {
  test('three 500 and a 200 take three waits, each fourfold', async () => {
    await embed(statuses(500, 500, 500));
    expect(stub.requests).toHaveLength(4);
    expect(clock.waitsMs).toEqual([125, 500, 2000]);
    const ids = stub.requests.map(({ headers }) => headers['x-baseten-customer-request-id']);
    expect(new Set(ids).size).toBe(1);
    expect(stub.connections).toBe(1);
  });

  test('a batch that always fails is sent 6 times over 42.6 s and the jitter', async () => {
    const startMs = Date.now();
    const error = await failure(statuses(500, 500, 500, 500, 500, 500));
    expect(error).toMatchObject({ kind: 'http', status: 500, attempts: 6 });
    expect(stub.requests).toHaveLength(6);
    expect(clock.waitsMs).toEqual([125, 500, 2000, 8000, 32_000]);
    expect((stub.requests[5]?.atMs ?? 0) - startMs).toBe(42_625 + 5 * 50);
  });

  test('the wait stops at 45 s', async () => {
    await embed(statuses(500, 500, 500, 500, 500, 500), { maxRetries: 6 });
    expect(clock.waitsMs.at(-1)).toBe(45_000);
    expect(stub.requests).toHaveLength(7);
  });

  test.each([
    [{ maxRetries: 0 }, 1, []],
    [{ maxRetries: 1, initialBackoffMs: 45_000 }, 2, [45_000]],
  ])('%j gives %i requests', async (preference, requests, waits) => {
    await failure(statuses(500, 500, 500), preference);
    expect(stub.requests).toHaveLength(requests);
    expect(clock.waitsMs).toEqual(waits);
  });

  test.each([408, 409, 429, 500, 529, 599])('%i is retried', async (status) => {
    await embed(statuses(status));
    expect(stub.requests).toHaveLength(2);
  });

  test.each([408, 409, 529])(
    '%i is not retried if it is in nonRetryableStatusCodes',
    async (status) => {
      const error = await failure(statuses(status), { nonRetryableStatusCodes: [status] });
      expect(error).toMatchObject({ status, attempts: 1 });
      expect(stub.requests).toHaveLength(1);
    },
  );

  test.each([400, 401, 403, 404, 413, 415, 422, 423, 425, 451, 304, 302])(
    '%i is sent once',
    async (status) => {
      const error = await failure(statuses(status));
      expect(error).toMatchObject({
        kind: 'http',
        code: 'GenericFailure',
        status,
        batchIndex: 0,
        attempts: 1,
        customerRequestId: stub.requests[0]?.headers['x-baseten-customer-request-id'],
      });
      expect(stub.requests).toHaveLength(1);
    },
  );

  test('free retries: 4 of 100 requests fail once, and 104 are sent', async () => {
    const input = Array.from({ length: 100 }, (_, i) => String(i));
    await embed(statuses(500, 500, 500, 500), { batchSize: 1 }, input);
    expect(stub.requests).toHaveLength(104);
  });

  test.each([500, 2000])('an overload that ends after %i ms is survived', async (endMs) => {
    const startMs = Date.now();
    const input = Array.from({ length: 20 }, (_, i) => String(i));
    function busy(request: Recorded, response: ServerResponse): void {
      if (Date.now() - startMs < endMs) sendJson(response, { error: 'busy' }, 429);
      else answerAnything(request, response);
    }
    await embed(busy, { batchSize: 1 }, input);
    expect(stub.requests.length).toBeGreaterThan(20);
  });

  test('attemptIds count the retries', async () => {
    await embed(statuses(500, 500), { attemptIds: true });
    const ids = stub.requests.map(({ headers }) => headers['x-baseten-customer-request-id'] ?? '');
    expect(ids.map((id) => id.split('-').slice(2))).toEqual([
      ['0', '0'],
      ['0', '1'],
      ['0', '2'],
    ]);
  });

  test('the deadline is made anew for each attempt', async () => {
    await embed(statuses(500));
    const [first, second] = stub.requests.map(({ headers }) =>
      Number(headers['request-deadline-ms']),
    );
    expect((second ?? 0) - (first ?? 0)).toBe(175);
  });
});

describe('Retry-After', () => {
  function asking(value: string): Responder {
    return (request, response: ServerResponse, number) => {
      if (number > 0) {
        answerAnything(request, response);
        return;
      }
      response.setHeader('retry-after', value);
      sendJson(response, {}, 429);
    };
  }

  test.each([
    ['3', 3000],
    ['0', 175],
    ['-3', 175],
    ['soon', 175],
    ['3.5', 175],
    ['100000', 45_000],
  ])('%j waits %i ms', async (value, waitMs) => {
    await embed(asking(value));
    expect(clock.retries[0]?.waitMs).toBe(waitMs);
  });

  test('takes a date, and none that is past', async () => {
    await embed(asking(new Date(Date.now() + 7000).toUTCString()));
    const waitMs = clock.retries[0]?.waitMs ?? 0;
    expect(waitMs).toBeGreaterThan(5000);
    expect(waitMs).toBeLessThanOrEqual(7000);
    await stub.close();
    await embed(asking(new Date(Date.now() - 7000).toUTCString()));
    expect(clock.retries[1]?.waitMs).toBe(175);
  });

  test('is left alone with honorRetryAfter: false', async () => {
    await embed(asking('3'), { honorRetryAfter: false });
    expect(clock.retries[0]?.waitMs).toBe(175);
  });
});

describe('errors of answers', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['{"error":"text"}', 'text', undefined],
    ['{"error":{"message":"m","type":"t","param":null,"code":"c"}}', 'm', 'c'],
    ['{"error":{"message":"m","type":"t","code":null}}', 'm', 't'],
    ['{"error":"m","error_type":"t"}', 'm', 't'],
    ['{"message":"m"}', 'm', undefined],
    ['{"detail":"d"}', 'd', undefined],
    ['plain text', undefined, undefined],
    ['', undefined, undefined],
  ])('%s', async (body, serverMessage, serverCode) => {
    const error = await failure((_request, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end(body);
    });
    expect(error).toMatchObject({
      message: `API request failed with status 400 Bad Request: ${body}`,
      body,
      ...(serverMessage === undefined ? {} : { serverMessage }),
      ...(serverCode === undefined ? {} : { serverCode }),
    });
    expect('serverMessage' in (error as object)).toBe(serverMessage !== undefined);
    expect('serverCode' in (error as object)).toBe(serverCode !== undefined);
  });

  test('a status without a name, and a body over 64 KiB', async () => {
    const error = await failure((_request, response) => {
      response.writeHead(499);
      response.end('x'.repeat(70_000));
    });
    const message = `API request failed with status 499 <unknown status code>: ${'x'.repeat(65_536)}`;
    expect(error).toMatchObject({ message, body: 'x'.repeat(65_536) });
  });

  test('no error tells the key', async () => {
    const error = (await failure(statuses(401))) as Error;
    expect(`${error.message}${error.stack ?? ''}${JSON.stringify(error)}`).not.toContain('key');
  });
});

describe('failFast: false', () => {
  const input = Array.from({ length: 6 }, (_, i) => String(i));
  const preference = { batchSize: 2, maxConcurrentRequests: 1, failFast: false };

  test('resolves with what succeeded, and says what failed', async () => {
    const response = (await embed(statuses(400), preference, input)) as {
      data: { index: number }[];
      usage: unknown;
      errors: unknown[];
      response_headers: unknown[];
      individual_request_times: unknown[];
      toFloat32Array: () => unknown;
    };
    expect(response.data.map(({ index }) => index)).toEqual([2, 3, 4, 5]);
    expect(response.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    expect(response.errors).toMatchObject([
      { batchIndex: 0, start: 0, end: 2, error: { kind: 'http', status: 400 } },
    ]);
    expect(response.response_headers[0]).toEqual({});
    expect(response.individual_request_times).toHaveLength(3);
    expect(response.toFloat32Array).toThrow('Cannot convert to array: 2 of 6 inputs failed');
  });

  test('rejects with the first error if every batch failed', async () => {
    const error = await failure(statuses(400, 401, 403), preference, input);
    expect(error).toMatchObject({
      status: 400,
      cause: { errors: [{ status: 400 }, { status: 401 }, { status: 403 }] },
    });
  });
});
