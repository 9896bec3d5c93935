import { CancellationToken, PerformanceClient, type ModelLimits } from '../../src/client/index.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  type Responder,
} from '../support/recording-stub.ts';

const LIMITS: ModelLimits = {
  max_body_bytes: 2_000_000,
  max_batch_size: 1024,
  max_padded_bytes: 1024 ** 3,
  context_length: 512,
};

let stub: RecordingStub;
let limits: object | null;
let respond: Responder;
let warnings: string[];
let client: PerformanceClient;

beforeEach(async () => {
  limits = LIMITS;
  warnings = [];
  respond = (request, response) => {
    if (request.method !== 'GET') answerAnything(request, response);
    else if (limits === null) sendJson(response, { error: 'no' }, 404);
    else sendJson(response, { id: 'm', limits });
  };
  stub = await RecordingStub.open((...args) => respond(...args));
  client = clientFor(stub.url);
});

afterEach(async () => {
  await stub.close();
});

function clientFor(url: string): PerformanceClient {
  return new PerformanceClient(url, {
    apiKey: 'key',
    logger: {
      warn: (message) => {
        warnings.push(message);
      },
    },
  });
}

function texts(count: number, text = 'a'): string[] {
  return Array<string>(count).fill(text);
}

/** Texts of each request that was sent. */
function sizes(): number[] {
  return stub.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(body) as { input: string[] }).input.length);
}

const serial = { limits: 'server', batchSize: 1024, maxConcurrentRequests: 1 } as const;

describe("limits: 'server'", () => {
  test('asks once per client and model', async () => {
    const calls = [1, 2].map(() => client.embed(['a'], 'org/m', null, null, null, serial));
    await Promise.all(calls);
    await client.embed(['a'], 'org/m', null, null, null, serial);
    const asked = stub.requests.filter(({ method }) => method === 'GET');
    expect(asked.map(({ path }) => path)).toEqual(['/v3/models/org%2Fm']);
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer key' });
    await client.embed(['a'], 'other', null, null, null, serial);
    expect(stub.requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  test.each(['/v1', '/v3'])('a base that ends in %s is asked there', async (suffix) => {
    await clientFor(stub.url + suffix).embed(['a'], 'm', null, null, null, serial);
    expect(stub.requests[0]?.path).toBe(`${suffix}/models/m`);
  });

  test('batches close before max_batch_size', async () => {
    limits = { ...LIMITS, max_batch_size: 3 };
    await client.embed(texts(7), 'm', null, null, null, serial);
    expect(sizes()).toEqual([3, 3, 1]);
  });

  test('batches close before the padded tensor', async () => {
    limits = { ...LIMITS, max_padded_bytes: 4 * 512 * 8 };
    await client.embed(texts(9), 'm', null, null, null, serial);
    expect(sizes()).toEqual([4, 4, 1]);
  });

  test.each(['a', 'é', '😀', '"\\\n', '\u0001'])(
    'batches close before the bytes of the body: %j',
    async (text) => {
      limits = { ...LIMITS, max_body_bytes: 100 };
      await client.embed(texts(60, text), 'm', null, null, null, serial);
      const lengths = stub.requests
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => Buffer.byteLength(body));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
      // One more text would not have fitted in any but the last.
      const one = Buffer.byteLength(JSON.stringify(text)) + 1;
      for (const length of lengths.slice(0, -1)) expect(length + one).toBeGreaterThan(100);
    },
  );

  test('a text that cannot fit alone is named before anything is sent', async () => {
    limits = { ...LIMITS, max_body_bytes: 100 };
    const input = ['a', 'x'.repeat(200), 'b'];
    await expect(client.embed(input, 'm', null, null, null, serial)).rejects.toMatchObject({
      code: 'InvalidArg',
      message: expect.stringMatching(
        /^Input at index 1 cannot be sent: its body of \d+ bytes/,
      ) as string,
    });
    expect(sizes()).toEqual([]);
  });

  test.each([
    ['404', null],
    ['no limits', {}],
  ])('a server with %s gets one warning and no planning', async (_, published) => {
    limits = published;
    await client.embed(texts(9), 'm', null, null, null, { ...serial, batchSize: 8 });
    await client.embed(texts(9), 'm', null, null, null, { ...serial, batchSize: 8 });
    expect(sizes()).toEqual([8, 1, 8, 1]);
    expect(warnings).toEqual(['the server publishes no limits: not planning']);
  });

  test('a question that fails rejects the call, and is asked again by the next', async () => {
    const answer = respond;
    respond = (_request, response) => {
      sendJson(response, {}, 401);
    };
    const call = client.embed(['a'], 'm', null, null, null, serial);
    await expect(call).rejects.toMatchObject({ status: 401 });
    respond = answer;
    await client.embed(['a'], 'm', null, null, null, serial);
  });

  test('the question ends with the last call that waits for it', async () => {
    respond = () => undefined;
    const tokens = [new CancellationToken(), new CancellationToken()];
    const calls = tokens.map((cancelToken) =>
      client
        .embed(['a'], 'm', null, null, null, { ...serial, cancelToken })
        .catch((error: unknown) => error),
    );
    await stub.waitFor(1);
    tokens[0]?.cancel();
    expect(await calls[0]).toMatchObject({ kind: 'cancelled' });
    expect(stub.aborted).toBe(0);
    tokens[1]?.cancel();
    expect(await calls[1]).toMatchObject({ kind: 'cancelled' });
    await stub.until(() => stub.aborted === 1);
  });

  test('given limits are not asked for', async () => {
    const own = { limits: { ...LIMITS, max_batch_size: 2 }, maxConcurrentRequests: 1 };
    await client.embed(texts(3), 'm', null, null, null, own);
    expect(stub.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
    expect(sizes()).toEqual([2, 1]);
  });
});
