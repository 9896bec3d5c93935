import {
  CancellationToken,
  Endpoint,
  EndpointPool,
  HttpClientWrapper,
  PerformanceClient,
  RequestProcessingPreference,
  TraceContext,
  type PreferenceOptions,
} from '../../src/client/index.ts';
import { RecordingStub } from '../support/recording-stub.ts';

let stub: RecordingStub;
let client: PerformanceClient;

beforeAll(async () => {
  stub = await RecordingStub.open();
});

beforeEach(() => {
  client = new PerformanceClient(stub.url, 'key');
});

afterEach(() => {
  expect(stub.requests).toEqual([]);
});

afterAll(async () => {
  await stub.close();
});

/** The client without types, as JavaScript programs see it. */
function loose(): Record<string, (...args: unknown[]) => Promise<unknown>> {
  return client as never;
}

function refused(message: string): object {
  return { code: 'InvalidArg', kind: 'invalid_parameter', message, name: 'PerformanceClientError' };
}

describe('arguments', () => {
  test.each<[string, unknown[], string]>([
    ['embed', [[], 'm'], 'Input list cannot be empty'],
    ['rerank', ['q', []], 'Texts list cannot be empty'],
    ['classify', [[]], 'Inputs list cannot be empty'],
    ['batchPost', ['/x', []], 'Payloads list cannot be empty'],
    ['batchSystemOne', [[]], 'Requests list cannot be empty'],
    ['embed', ['text', 'm'], 'Input must be a list of strings'],
    ['embed', [['a', 1], 'm'], 'Input must be a list of strings: the item at index 1 is number'],
    ['embed', [[null], 'm'], 'Input must be a list of strings: the item at index 0 is null'],
    ['embed', [['a'], '  '], 'Model name cannot be empty'],
    ['embed', [['a'], 'm', null, 0], 'Dimensions must be between 1 and 1000000'],
    ['embed', [['a'], 'm', null, 1_000_001], 'Dimensions must be between 1 and 1000000'],
    ['embed', [['a'], 'm', null, 1.5], 'dimensions must be a non-negative integer'],
    [
      'embed',
      [['a'], 'm', null, null, 'é'.repeat(501)],
      'User string cannot exceed 1000 characters',
    ],
    ['embed', [['a'], 'm', 'Float'], "Encoding format must be 'float' or 'base64'"],
    ['embed', [['a'], 'm', 'tensor'], "Encoding format must be 'float' or 'base64'"],
    [
      'batchPost',
      ['/x', [1], null, 'get'],
      "Invalid HTTP method 'get'. Supported methods: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
    ],
  ])('%s(%j) is refused', async (method, args, message) => {
    await expect(loose()[method]?.call(client, ...args)).rejects.toMatchObject(refused(message));
  });

  test.each<[object, string]>([
    [{ primaryApiKeyOverride: '' }, 'API key cannot be empty'],
    [
      { traceContext: new TraceContext('a'), extraHeaders: { TraceParent: 'b' } },
      'trace_context cannot be combined with trace headers in extra_headers',
    ],
    [{ traceContext: new TraceContext('') }, 'invalid traceparent header'],
    [{ traceContext: new TraceContext('a\n') }, 'invalid traceparent header'],
    [{ traceContext: new TraceContext('a', '') }, 'invalid tracestate header'],
    [{ extraHeaders: { 'bad name': 'x' } }, "invalid header name 'bad name'"],
    [{ extraHeaders: { 'X-A': 'a\r\nb' } }, "invalid header value for 'X-A'"],
    [{ extraHeaders: { 'X-A': 1 } }, "invalid header value for 'X-A'"],
    [{ extraHeaders: { 'Content-Length': '1' } }, "header 'Content-Length' cannot be set"],
    [
      { extraHeaders: { 'transfer-encoding': 'chunked' } },
      "header 'transfer-encoding' cannot be set",
    ],
    [{ extraHeaders: { connection: 'close' } }, "header 'connection' cannot be set"],
    [{ primaryApiKeyOverride: 'a\nb' }, "invalid header value for 'authorization'"],
  ])('the preference %j is refused', async (preference, message) => {
    const call = client.embed(['a'], 'm', null, null, null, preference as PreferenceOptions);
    await expect(call).rejects.toMatchObject(refused(message));
  });

  test('are checked in the documented order', async () => {
    const bad = { timeoutS: 0, primaryApiKeyOverride: '', extraHeaders: { 'a b': '' } };
    const calls = [
      [[], '', 'x', 0, 'u'.repeat(1001)],
      [['a'], '', 'x', 0, 'u'.repeat(1001)],
      [['a'], 'm', 'x', 0, 'u'.repeat(1001)],
      [['a'], 'm', 'x', 1, 'u'.repeat(1001)],
      [['a'], 'm', 'x', 1, 'u'],
      [['a'], 'm', null, 1, 'u'],
    ];
    const messages = [];
    for (const args of calls) {
      messages.push(await messageOf(loose()['embed']?.call(client, ...args, bad)));
    }
    expect(messages.map((message) => message.split(' ')[0])).toEqual([
      'Input',
      'Model',
      'Dimensions',
      'User',
      'Encoding',
      'Timeout',
    ]);
    const rest = [{ ...bad, timeoutS: 1 }, { extraHeaders: { 'a b': '' } }];
    expect(await messageOf(client.embed(['a'], 'm', null, null, null, rest[0]))).toMatch(
      /^API key/,
    );
    expect(await messageOf(client.embed(['a'], 'm', null, null, null, rest[1]))).toMatch(
      /^invalid/,
    );
  });

  test('the key of the client may be empty only where it is overridden', async () => {
    const other = new PerformanceClient(stub.url, '');
    await expect(other.embed(['a'], 'm')).rejects.toMatchObject(refused('API key cannot be empty'));
  });

  test.each(['', 'not a url', 'ftp://host', '/path'])(
    'the base URL %j is refused at the first call',
    async (url) => {
      const other = new PerformanceClient(url, 'key');
      await expect(other.embed(['a'], 'm')).rejects.toMatchObject({ code: 'InvalidArg' });
    },
  );

  test('a closed client refuses calls', async () => {
    await client.close();
    await expect(client.embed(['a'], 'm')).rejects.toMatchObject(refused('the client is closed'));
  });
});

describe('new PerformanceClient()', () => {
  const names = ['BASETEN_API_KEY', 'OPENAI_API_KEY'];

  afterEach(() => {
    for (const name of names) Reflect.deleteProperty(process.env, name);
  });

  test('throws without a key', () => {
    expect(() => new PerformanceClient('http://a')).toThrow(
      expect.objectContaining(
        refused('API key not provided and no environment variable `BASETEN_API_KEY` found'),
      ) as Error,
    );
  });

  test('takes the key from its argument, then BASETEN_API_KEY, then OPENAI_API_KEY', () => {
    process.env['OPENAI_API_KEY'] = 'second';
    expect(new PerformanceClient('http://a').apiKey).toBe('second');
    process.env['BASETEN_API_KEY'] = 'first';
    expect(new PerformanceClient('http://a').apiKey).toBe('first');
    expect(new PerformanceClient('http://a', 'own').apiKey).toBe('own');
    expect(new PerformanceClient('http://a', { apiKey: 'named' }).apiKey).toBe('named');
  });

  test.each(['x', 'ftp://host', 'socks5://host'])('throws for the proxy %j', (proxy) => {
    expect(() => new PerformanceClient('http://a', 'key', 1, null, proxy)).toThrow(
      /^Invalid proxy URL: /,
    );
    expect(() => new HttpClientWrapper(1, proxy)).toThrow(/^Invalid proxy URL: /);
  });

  test('shares the wrapper that it is given', () => {
    const wrapper = client.getClientWrapper();
    expect(new PerformanceClient('http://a', 'key', 2, wrapper).getClientWrapper()).toBe(wrapper);
  });
});

describe('Endpoint and EndpointPool', () => {
  const wrapper = new HttpClientWrapper();
  const prefix = 'Invalid endpoint configuration: Invalid parameter: ';
  const poolPrefix = 'Invalid endpoint pool configuration: Invalid parameter: ';

  test.each<[unknown[], string]>([
    [[' ', 'k', wrapper], `${prefix}endpoint base_url cannot be empty`],
    [['http://a', '', wrapper], `${prefix}endpoint health_api_key cannot be empty`],
    [
      ['http://a', 'k', wrapper, null, null, null, 0.09],
      `${prefix}health_check_timeout must be at least 100ms`,
    ],
    [
      ['http://a', 'k', wrapper, null, null, 0.09],
      `${prefix}health_check_interval must be at least 100ms`,
    ],
    [
      ['http://a', 'k', wrapper, 'not absolute'],
      `${prefix}absolute endpoint_health check URLs must be valid`,
    ],
  ])('an endpoint of %j is refused', (args, message) => {
    expect(() => Reflect.construct(Endpoint, args) as unknown).toThrow(message);
  });

  test.each<[number, number[] | null, string]>([
    [0, null, 'endpoints must not be empty'],
    [2, [1], `${poolPrefix}endpoint pool weights length must match endpoints length`],
    [2, [1, -1], `${poolPrefix}endpoint pool weights must be finite and non-negative`],
    [2, [1, NaN], `${poolPrefix}endpoint pool weights must be finite and non-negative`],
    [2, [0, 0], `${poolPrefix}endpoint pool weights cannot all be zero`],
  ])('a pool of %i members with weights %j is refused', (count, weights, message) => {
    const members = Array.from(
      { length: count },
      (_, i) => new Endpoint(`http://h${i}`, 'k', wrapper),
    );
    expect(() => new EndpointPool(members, weights)).toThrow(message);
  });

  test('members must differ in more than their slashes', () => {
    const members = ['http://a', 'http://a//'].map((url) => new Endpoint(url, 'k', wrapper));
    expect(() => new EndpointPool(members)).toThrow(
      `${poolPrefix}endpoint pool endpoints must be unique`,
    );
  });
});

describe('RequestProcessingPreference', () => {
  test('getters apply the defaults, setters take effect', () => {
    const preference = RequestProcessingPreference.default();
    expect(preference.batchSize).toBe(8);
    expect(preference.hedgeDelay).toBeNull();
    preference.batchSize = 32;
    preference.nonRetryableStatusCodes = [503, 429, 503];
    expect(preference.batchSize).toBe(32);
    expect(preference.nonRetryableStatusCodes).toEqual([429, 503]);
    preference.batchSize = null;
    expect(preference.batchSize).toBe(8);
  });

  test('knows a trace context, also from a header', () => {
    expect(RequestProcessingPreference.default().hasExplicitTraceContext).toBe(false);
    expect(
      RequestProcessingPreference.from({ extraHeaders: { TraceState: 'a' } })
        .hasExplicitTraceContext,
    ).toBe(true);
  });

  test('withTraceContext() makes a copy', () => {
    const token = new CancellationToken();
    const preference = RequestProcessingPreference.from({ cancelToken: token, batchSize: 3 });
    const traced = preference.withTraceContext('parent', 'state');
    expect(traced.traceContext).toMatchObject({ traceparent: 'parent', tracestate: 'state' });
    expect(traced.cancelToken).toBe(token);
    expect(traced.batchSize).toBe(3);
    expect(preference.hasExplicitTraceContext).toBe(false);
  });
});

async function messageOf(call: Promise<unknown> | undefined): Promise<string> {
  try {
    await call;
  } catch (error) {
    return (error as Error).message;
  }
  return 'resolved';
}
