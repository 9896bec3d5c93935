import type { ServerResponse } from 'node:http';
import {
  CancellationToken,
  flushTracing,
  PerformanceClient,
  TraceContext,
  type PreferenceOptions,
} from '../../src/client/index.ts';
import { forgetTraceSettings } from '../../src/client/tracing/trace-settings.ts';
import { VERSION } from '../../src/client/version.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  type Recorded,
} from '../support/recording-stub.ts';
import { CollectorStub, type Span } from '../support/collector-stub.ts';

const ENDPOINT = 'BASETEN_PERFORMANCE_CLIENT_OTLP_ENDPOINT';
const HEADERS = 'BASETEN_PERFORMANCE_CLIENT_OTLP_HEADERS';
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let stub: RecordingStub;
let collector: CollectorStub;

beforeEach(async () => {
  stub = await RecordingStub.open(answer);
  collector = await CollectorStub.open();
  set(ENDPOINT, collector.url);
});

afterEach(async () => {
  for (const name of [ENDPOINT, HEADERS, 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME']) {
    Reflect.deleteProperty(process.env, name);
  }
  forgetTraceSettings();
  await stub.close();
  await collector.close();
});

function set(name: string, value: string): void {
  process.env[name] = value;
  forgetTraceSettings();
}

function answer(request: Recorded, response: ServerResponse): void {
  if (request.path === '/missing') sendJson(response, {}, 404);
  else if (request.path !== '/held') answerAnything(request, response);
}

function post(preference: PreferenceOptions = {}, path = '/x'): Promise<unknown> {
  return new PerformanceClient(stub.url, 'key').batchPost(path, [1, 2], preference);
}

async function spans(): Promise<Span[]> {
  await flushTracing();
  return collector.spans();
}

function headerOf(span: Span | undefined): string {
  return `00-${span?.traceId ?? ''}-${span?.spanId ?? ''}-01`;
}

function lengthOf(span: Span | undefined): bigint {
  return BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0);
}

function traceHeaders(): unknown[] {
  return stub.requests.map(({ headers }) => headers['traceparent']);
}

describe('tracing', () => {
  test('a root span: the export, and the headers of every request', async () => {
    set(HEADERS, ' x-token = a=b , other=c');
    set('OTEL_EXPORTER_OTLP_HEADERS', 'x-otel=1');
    set('OTEL_SERVICE_NAME', 'other-name');
    await post();
    const [span] = await spans();
    expect(collector.exports).toHaveLength(1);
    const [made] = collector.exports;
    expect(made?.path).toBe('/v1/traces');
    expect(made?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-token': 'a=b',
      other: 'c',
    });
    expect(made?.headers).not.toHaveProperty('authorization');
    expect(made?.headers).not.toHaveProperty('x-otel');
    const time = expect.stringMatching(/^\d{19}$/) as string;
    expect(made?.body).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [{ key: 'service.name', value: { stringValue: 'tensorgate-client' } }],
            droppedAttributesCount: 0,
            entityRefs: [],
          },
          schemaUrl: '',
          scopeSpans: [
            {
              scope: {
                name: 'tensorgate_client',
                version: VERSION,
                attributes: [],
                droppedAttributesCount: 0,
              },
              schemaUrl: '',
              spans: [
                {
                  traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
                  spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
                  traceState: '',
                  parentSpanId: '',
                  flags: 257,
                  name: 'perfclient.batch_post',
                  kind: 3,
                  startTimeUnixNano: time,
                  endTimeUnixNano: time,
                  attributes: [],
                  droppedAttributesCount: 0,
                  events: [],
                  droppedEventsCount: 0,
                  links: [],
                  droppedLinksCount: 0,
                  status: { message: '', code: 1 },
                },
              ],
            },
          ],
        },
      ],
    });
    const header = headerOf(span);
    expect(traceHeaders()).toEqual([header, header]);
    expect(lengthOf(span)).toBeGreaterThanOrEqual(0n);
  });

  test.each<[string, PreferenceOptions]>([
    ['a context', { traceContext: new TraceContext(PARENT, 'a=b') }],
    ['extra headers', { extraHeaders: { TraceParent: PARENT, TraceState: 'a=b' } }],
  ])('continues the trace of %s', async (_, preference) => {
    await post(preference);
    const [span] = await spans();
    expect(span).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      traceState: 'a=b',
      flags: 769,
    });
    for (const { headers, rawHeaders } of stub.requests) {
      expect(headers['traceparent']).toBe(`00-${span?.traceId ?? ''}-${span?.spanId ?? ''}-01`);
      expect(headers['tracestate']).toBe('a=b');
      expect(rawHeaders.filter((name) => /^traceparent$/i.test(name))).toHaveLength(1);
    }
  });

  test.each([
    ['03', '03', 771],
    ['ff', '03', 771],
  ])('masks flags: %s becomes %s', async (given, sent, flags) => {
    await post({ traceContext: new TraceContext(PARENT.replace(/01$/, given)) });
    expect((await spans())[0]?.flags).toBe(flags);
    expect(String(traceHeaders()[0])).toMatch(new RegExp(`-${sent}$`));
  });

  test('a parent that is not sampled makes no span, and goes out untouched', async () => {
    const unsampled = PARENT.replace(/01$/, '00');
    await post({ traceContext: new TraceContext(unsampled, 'a=b') });
    expect(await spans()).toEqual([]);
    expect(traceHeaders()).toEqual([unsampled, unsampled]);
  });

  test('retries and hedges carry the same header', async () => {
    let failed = false;
    const failing = await RecordingStub.open((request, response) => {
      if (!failed) {
        failed = true;
        sendJson(response, {}, 500);
      } else if (failing.requests.length === 3) answerAnything(request, response);
    });
    const client = new PerformanceClient(failing.url, 'key');
    await client.batchPost('/x', [1], { initialBackoffMs: 50, hedgeDelay: 0.05 });
    const headers = failing.requests.map((request) => request.headers['traceparent']);
    expect(headers).toHaveLength(3);
    expect(new Set(headers).size).toBe(1);
    await failing.close();
  });

  test('a failed call and a cancelled one have code 2; a refused one no span', async () => {
    await post({}, '/missing').catch(() => undefined);
    const token = new CancellationToken();
    const held = post({ cancelToken: token }, '/held').catch(() => undefined);
    await stub.waitFor(3);
    token.cancel();
    await held;
    await post({ batchSize: 0 }).catch(() => undefined);
    const status = { message: 'call failed or was cancelled', code: 2 };
    expect((await spans()).map((span) => span.status)).toEqual([status, status]);
  });

  test.each<[PreferenceOptions, string]>([
    [{ traceContext: new TraceContext('garbage') }, 'invalid W3C traceparent'],
    [{ extraHeaders: { traceparent: PARENT.replace('00-', 'ff-') } }, 'invalid W3C traceparent'],
    [
      { extraHeaders: { traceparent: PARENT, Traceparent: PARENT } },
      'duplicate traceparent headers',
    ],
    [{ extraHeaders: { tracestate: 'a', TraceState: 'b' } }, 'duplicate tracestate headers'],
  ])('%j is refused', async (preference, message) => {
    await expect(post(preference)).rejects.toMatchObject({ code: 'InvalidArg', message });
    expect(stub.requests).toEqual([]);
  });

  test('the names of the spans', async () => {
    const client = new PerformanceClient(stub.url, 'key');
    await client.embed(['a'], 'm');
    await client.rerank('q', ['a']);
    await client.classify(['a']);
    await client.batchSystemOne([1]);
    expect((await spans()).map(({ name }) => name)).toEqual([
      'perfclient.embed',
      'perfclient.rerank',
      'perfclient.classify',
      'perfclient.batch_post',
    ]);
  });

  test.each([
    [ENDPOINT, 'not a url', `invalid ${ENDPOINT}`],
    [ENDPOINT, 'ftp://host', `${ENDPOINT} must be an HTTP(S) URL`],
    [HEADERS, 'no-value', `invalid ${HEADERS}`],
    [HEADERS, 'bad name=x', `invalid ${HEADERS} name`],
    [HEADERS, 'a=\u0001', `invalid ${HEADERS} value`],
  ])('%s=%j fails every call', async (name, value, message) => {
    set(name, value);
    for (let call = 0; call < 2; call++) {
      await expect(post()).rejects.toMatchObject({ code: 'InvalidArg', message });
    }
  });

  test.each([
    ['/', '/v1/traces'],
    ['/otlp/', '/otlp/v1/traces'],
    ['/otlp/v1/traces', '/otlp/v1/traces'],
  ])('the endpoint’s path %s becomes %s', async (path, exported) => {
    set(ENDPOINT, `${process.env[ENDPOINT] ?? ''}${path}`);
    await post();
    await flushTracing();
    expect(collector.exports[0]?.path).toBe(exported);
  });

  test('a blank endpoint exports nothing', async () => {
    set(ENDPOINT, '  ');
    await post();
    expect(traceHeaders()).toEqual([undefined, undefined]);
  });

  test('a collector that fails troubles nobody', async () => {
    set(ENDPOINT, 'http://127.0.0.1:9');
    await post();
    await flushTracing();
    expect(collector.exports).toEqual([]);
  });
});
