import { forgetIdPrefix } from '../../src/client/run-call.ts';
import { VERSION } from '../../src/client/version.ts';
import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import { RecordingStub, type Recorded } from '../support/recording-stub.ts';

let stub: RecordingStub;

beforeEach(async () => {
  stub = await RecordingStub.open();
});

afterEach(async () => {
  delete process.env['PERFORMANCE_CLIENT_REQUEST_ID_PREFIX'];
  forgetIdPrefix();
  await stub.close();
});

function client(baseUrl = stub.url): PerformanceClient {
  return new PerformanceClient(baseUrl, 'key');
}

async function embedOne(preference: PreferenceOptions, from = client()): Promise<Recorded> {
  await from.embed(['a'], 'm', null, null, null, preference);
  const request = stub.requests.at(-1);
  if (!request) throw new Error('no request came');
  return request;
}

const COMMON = {
  authorization: 'Bearer key',
  'content-type': 'application/json',
  'x-baseten-customer-request-id': expect.stringMatching(/^perfclient-[0-9a-f]{10}-0-0$/) as string,
  'request-timeout-ms': '3600000',
  'request-deadline-ms': expect.stringMatching(/^\d{13}$/) as string,
  accept: 'application/json, application/msgpack',
  'accept-encoding': 'zstd, gzip',
  'user-agent': `tensorgate-client/${VERSION}`,
  host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
  'content-length': expect.stringMatching(/^\d+$/) as string,
};

const SCORE_DEFAULTS = { raw_scores: false, truncate: false, truncation_direction: 'Right' };

describe('requests on the wire', () => {
  test.each<[string, (from: PerformanceClient) => Promise<unknown>, [string, object]]>([
    [
      'embed, minimal',
      (from) => from.embed(['a'], 'm'),
      ['/v1/embeddings', { input: ['a'], model: 'm' }],
    ],
    [
      'embed, full',
      (from) => from.embed(['a', 'é'], 'm', 'float', 7, 'me'),
      [
        '/v1/embeddings',
        { input: ['a', 'é'], model: 'm', encoding_format: 'float', dimensions: 7, user: 'me' },
      ],
    ],
    [
      'rerank, minimal',
      (from) => from.rerank('q', ['a']),
      ['/rerank', { query: 'q', texts: ['a'], return_text: false, ...SCORE_DEFAULTS }],
    ],
    [
      'rerank, full',
      (from) => from.rerank('', [''], true, 'm', true, true, 'Left'),
      [
        '/rerank',
        {
          query: '',
          texts: [''],
          model: 'm',
          raw_scores: true,
          return_text: true,
          truncate: true,
          truncation_direction: 'Left',
        },
      ],
    ],
    [
      'classify, minimal',
      (from) => from.classify(['a', 'b']),
      ['/predict', { inputs: [['a'], ['b']], ...SCORE_DEFAULTS }],
    ],
    [
      'classify, full',
      (from) => from.classify(['a'], 'm', true, true, 'any text'),
      [
        '/predict',
        {
          inputs: [['a']],
          model: 'm',
          raw_scores: true,
          truncate: true,
          truncation_direction: 'any text',
        },
      ],
    ],
    ['batchPost', (from) => from.batchPost('/x', [{ b: 1 }]), ['/x', { b: 1 }]],
    ['batchSystemOne', (from) => from.batchSystemOne([{ b: 1 }]), ['/v1/systemone', { b: 1 }]],
  ])('%s', async (_, call, [path, body]) => {
    await call(client());
    const [request] = stub.requests;
    expect(request).toMatchObject({ method: 'POST', path, headers: COMMON });
    const names = Object.keys(COMMON).sort();
    // Node's server adds nothing, so this is all that was sent.
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(names);
    expect(request?.rawHeaders).toHaveLength(2 * names.length);
    expect(JSON.parse(request?.body ?? '')).toEqual(body);
    expect(request?.body).toBe(JSON.stringify(JSON.parse(request?.body ?? '')));
  });

  test.each([
    ['', '/v1/embeddings'],
    ['/', '/v1/embeddings'],
    ['///', '/v1/embeddings'],
    ['/v3', '/v3/v1/embeddings'],
    ['/a/b//', '/a/b/v1/embeddings'],
  ])('a base URL that ends in %j gives %s', async (suffix, path) => {
    const request = await embedOne({}, client(stub.url + suffix));
    expect(request.path).toBe(path);
  });

  test.each([
    ['x', '/x'],
    [' /x ', '/x'],
    ['//x', '//x'],
    ['/x?a=b&c', '/x?a=b&c'],
    ['', '/'],
    ['/x/', '/x/'],
  ])('the path %j goes out as %s', async (given, path) => {
    await client().batchPost(given, [1]);
    expect(stub.requests[0]?.path).toBe(path);
  });

  test.each([
    [30.5, '30500'],
    [0.1001, '101'],
    [0.1, '100'],
    [3600, '3600000'],
  ])('a timeout of %f s is announced as %s ms', async (timeoutS, header) => {
    const before = Date.now();
    const { headers } = await embedOne({ timeoutS });
    expect(headers['request-timeout-ms']).toBe(header);
    const left = Number(headers['request-deadline-ms']) - before;
    expect(left).toBeGreaterThanOrEqual(Math.floor(timeoutS * 1000));
    expect(left).toBeLessThan(timeoutS * 1000 + 5000);
  });

  test('extra headers replace those of the client, whatever their case', async () => {
    const { headers, rawHeaders } = await embedOne({
      extraHeaders: {
        'X-Own': '1',
        ACCEPT: 'application/json',
        'Accept-Encoding': 'gzip',
        Authorization: 'Basic abc',
        'User-Agent': 'mine',
        'X-Baseten-Customer-Request-Id': 'id',
        'Request-Timeout-Ms': '5',
        'Content-Type': 'application/vnd.api+json',
        Host: 'other',
      },
    });
    expect(headers).toMatchObject({
      'x-own': '1',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      authorization: 'Basic abc',
      'user-agent': 'mine',
      'x-baseten-customer-request-id': 'id',
      'request-timeout-ms': '5',
      'content-type': 'application/vnd.api+json',
      host: 'other',
    });
    const names = rawHeaders.filter((_, at) => at % 2 === 0);
    expect(new Set(names).size).toBe(names.length);
  });

  test('the key of the preference replaces the client’s', async () => {
    expect((await embedOne({ primaryApiKeyOverride: 'other' })).headers['authorization']).toBe(
      'Bearer other',
    );
  });

  test('ids count the batches of a call, and share ten digits', async () => {
    await client().embed(['a', 'b'], 'm', null, null, null, { batchSize: 1 });
    const ids = stub.requests.map(({ headers }) => headers['x-baseten-customer-request-id'] ?? '');
    const [start = ''] = (ids[0] ?? '').split('-0-0');
    expect(ids.sort()).toEqual([`${start}-0-0`, `${start}-1-0`]);
  });

  test('the prefix of the environment is trimmed, lower-cased and made legal', async () => {
    process.env['PERFORMANCE_CLIENT_REQUEST_ID_PREFIX'] = ' Ac\r\nme\0 ';
    forgetIdPrefix();
    const { headers } = await embedOne({});
    expect(headers['x-baseten-customer-request-id']).toMatch(/^perfclientacme-[0-9a-f]{10}-0-0$/);
  });

  test('a chosen accept-encoding is sent', async () => {
    const other = new PerformanceClient(stub.url, { apiKey: 'key', acceptEncoding: 'gzip' });
    expect((await embedOne({}, other)).headers['accept-encoding']).toBe('gzip');
  });

  test('trace headers are forwarded as they are while nothing is exported', async () => {
    const { headers } = await embedOne({
      extraHeaders: { TraceParent: 'garbage', tracestate: 'x' },
    });
    expect(headers).toMatchObject({ traceparent: 'garbage', tracestate: 'x' });
  });
});
