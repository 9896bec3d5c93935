import { PerformanceClient, RequestProcessingPreference } from '../../src/client/index.ts';
import { answerAnything, RecordingStub, sendJson, vectorOf } from '../support/recording-stub.ts';

const TEXTS = Array.from({ length: 253 }, (_, i) => `${i} ${'x'.repeat(i % 17)}`);

let stub: RecordingStub;
let client: PerformanceClient;

beforeEach(async () => {
  stub = await RecordingStub.open();
  client = new PerformanceClient(stub.url, 'key');
});

afterEach(async () => {
  await client.close();
  await stub.close();
});

describe('embed()', () => {
  test('sends 253 texts by 3 in 85 requests, 37 at once, and keeps their order', async () => {
    const response = await client.embed(TEXTS, 'm', null, null, null, {
      batchSize: 3,
      maxConcurrentRequests: 37,
    });
    expect(response.data.map(({ index }) => index)).toEqual(TEXTS.map((_, i) => i));
    expect(response.data.map(({ embedding }) => embedding)).toEqual(TEXTS.map(vectorOf));
    expect(response.individual_request_times).toHaveLength(85);
    expect(response.response_headers).toHaveLength(85);
    expect(response.usage).toEqual({ prompt_tokens: 253, total_tokens: 253 });
    expect(stub.requests).toHaveLength(85);
    expect(stub.connections).toBe(37);
    expect(response).toMatchObject({ object: 'list', model: 'm' });
    expect(response.total_time).toBeGreaterThan(0);
  });

  test('starts batches in order, and serialises each when it gets its slot', async () => {
    const input = ['a', 'b', 'c'];
    const call = client.embed(input, 'm', null, null, null, {
      batchSize: 1,
      maxConcurrentRequests: 1,
    });
    await stub.waitFor(1);
    input[2] = 'late';
    await call;
    expect(stub.bodies.map((body) => (body as { input: string[] }).input)).toEqual([
      ['a'],
      ['b'],
      ['late'],
    ]);
  });

  test('saturates usage at 2^32 - 1', async () => {
    const full = await RecordingStub.open((_request, response) => {
      sendJson(response, {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        model: 'm',
        usage: { prompt_tokens: 2 ** 32 - 1, total_tokens: 7 },
      });
    });
    const other = new PerformanceClient(full.url, 'key');
    const { usage } = await other.embed(['a', 'b'], 'm', null, null, null, { batchSize: 1 });
    expect(usage).toEqual({ prompt_tokens: 2 ** 32 - 1, total_tokens: 14 });
    await full.close();
  });

  test('gives Float32Array rows on one buffer, and all of them as one matrix', async () => {
    const response = await client.embed(TEXTS, 'm', null, null, null, { vectors: 'float32' });
    const rows = response.data.map(({ embedding }) => embedding);
    expect(rows[0]).toBeInstanceOf(Float32Array);
    expect(rows[0]?.buffer).toBe(rows[7]?.buffer);
    expect(Array.from(response.toFloat32Array())).toEqual(TEXTS.flatMap(vectorOf));
    expect(Object.keys(response)).not.toContain('toFloat32Array');
  });

  test('sends the same requests for positions, setters and options', async () => {
    const setters = RequestProcessingPreference.default();
    setters.batchSize = 2;
    setters.maxConcurrentRequests = 1;
    setters.extraHeaders = { 'x-a': 'b' };
    const forms = [
      new RequestProcessingPreference(
        1,
        2,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        { 'x-a': 'b' },
      ),
      setters,
      RequestProcessingPreference.from({
        batchSize: 2,
        maxConcurrentRequests: 1,
        extraHeaders: { 'x-a': 'b' },
      }),
      { batchSize: 2, maxConcurrentRequests: 1, extraHeaders: { 'x-a': 'b' } },
    ];
    for (const form of forms) await client.embed(['a', 'b', 'c'], 'm', null, null, null, form);
    const seen = stub.requests.map(({ headers, body }) => [headers['x-a'], body]);
    expect(seen).toHaveLength(8);
    for (const at of [2, 4, 6]) expect(seen.slice(at, at + 2)).toEqual(seen.slice(0, 2));
  });

  test('takes the positions of the native package', async () => {
    await client.embed(['a', 'b', 'c'], 'm', null, null, null, 1, 2, 10, 50, 0.5);
    expect(stub.bodies).toEqual([
      { input: ['a', 'b'], model: 'm' },
      { input: ['c'], model: 'm' },
    ]);
    expect(stub.requests[0]?.headers['request-timeout-ms']).toBe('10000');
    await expect(client.embed(['a'], 'm', null, null, null, null, 2000)).rejects.toThrow(
      'batch_size must be',
    );
  });
});

describe('rerank()', () => {
  test('keeps the ranking of each batch, and counts indices over the call', async () => {
    const texts = ['a', 'bb', 'ccc'];
    const response = await client.rerank('q', texts, null, null, null, null, null, {
      batchSize: 2,
    });
    expect(response.data).toEqual([
      { index: 1, score: 0.25, text: null },
      { index: 0, score: 0.125, text: null },
      { index: 2, score: 0.375, text: null },
    ]);
  });

  test('takes the positions of the native package', async () => {
    await client.rerank('q', ['a', 'b'], true, true, true, 'Left', 1, 1, 10, 50, null);
    const shared = { query: 'q', raw_scores: true, return_text: true, truncate: true };
    expect(stub.bodies).toEqual([
      { ...shared, texts: ['a'], truncation_direction: 'Left' },
      { ...shared, texts: ['b'], truncation_direction: 'Left' },
    ]);
  });
});

describe('classify()', () => {
  test('gives the labels of each text', async () => {
    const response = await client.classify(['a', 'b', 'c'], null, null, null, null, {
      batchSize: 2,
    });
    expect(response.data).toEqual(['a', 'b', 'c'].map((label) => [{ label, score: 0.5 }]));
  });

  test('takes the positions of the native package', async () => {
    await client.classify(['a', 'b'], true, true, 'Left', 1, 1);
    expect(stub.bodies).toEqual([
      { inputs: [['a']], raw_scores: true, truncate: true, truncation_direction: 'Left' },
      { inputs: [['b']], raw_scores: true, truncate: true, truncation_direction: 'Left' },
    ]);
  });
});

describe('batchPost()', () => {
  test('sends each payload, keys in the caller’s order', async () => {
    const response = await client.batchPost('x', [{ b: 1, a: [1.5, NaN] }, null, 'text']);
    expect(stub.requests.map(({ body }) => body).sort()).toEqual([
      '"text"',
      'null',
      '{"b":1,"a":[1.5,null]}',
    ]);
    expect(response.data).toHaveLength(3);
    expect(response.data[0]).toEqual({ path: '/x', got: { b: 1, a: [1.5, null] } });
  });

  test.each(['GET', 'DELETE', 'HEAD', 'OPTIONS'] as const)(
    'sends no body with %s',
    async (method) => {
      const response = await client.batchPost('/x', [1], null, method);
      expect(stub.requests[0]).toMatchObject({ method, body: '' });
      expect(stub.requests[0]?.headers).not.toHaveProperty('content-type');
      expect(stub.requests[0]?.headers).not.toHaveProperty('content-length');
      expect(response.data).toEqual(method === 'GET' ? [{ path: '/x', got: {} }] : [{}]);
    },
  );

  test.each(['PUT', 'PATCH'] as const)('sends a body with %s', async (method) => {
    await client.batchPost('/x', [{ a: 1 }], null, method);
    expect(stub.requests[0]).toMatchObject({ method, body: '{"a":1}' });
  });

  test('takes the positions of the native package', async () => {
    await client.batchPost('/x', [1], 4, 2.5);
    expect(stub.requests[0]?.headers['request-timeout-ms']).toBe('2500');
  });

  test.each([
    ['undefined', undefined],
    ['a function', (): number => 1],
    ['a BigInt', 1n],
    ['a cycle', cycle()],
  ])('refuses %s', async (_, payload) => {
    await expect(client.batchPost('/x', [1, payload])).rejects.toMatchObject({
      message: expect.stringMatching(/^Failed to serialize payload at index 1: /) as string,
    });
  });
});

test('batchSystemOne() posts each item to /v1/systemone', async () => {
  await client.batchSystemOne([{ a: 1 }, { a: 2 }]);
  expect(stub.requests.map(({ path, method }) => `${method} ${path}`)).toEqual([
    'POST /v1/systemone',
    'POST /v1/systemone',
  ]);
});

test('two calls of one client have separate slots', async () => {
  const held: (() => void)[] = [];
  const slow = await RecordingStub.open((request, response) => {
    held.push(() => {
      answerAnything(request, response);
    });
  });
  const other = new PerformanceClient(slow.url, 'key');
  const preference = { batchSize: 1, maxConcurrentRequests: 1 };
  const calls = [1, 2].map(() => other.embed(['a'], 'm', null, null, null, preference));
  await slow.waitFor(2);
  for (const answer of held) answer();
  await Promise.all(calls);
  await slow.close();
});

function cycle(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}
