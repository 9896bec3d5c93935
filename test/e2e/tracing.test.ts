import { join } from 'node:path';
import { H2Client } from '../support/h2-client.ts';
import { OtlpCollector } from '../support/otlp-collector.ts';
import { ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const TINY = join(ROOT, 'test/fixtures/tiny-bert-embeddings');
const MODEL = ['--task', 'embeddings', '--model_name', 'tiny', '--model_path', TINY];
const PARENT = '00f067aa0ba902b7';

let traces = 0;

/** An id for a trace, and its header. */
function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'a');
  return { traceId, traceparent: `00-${traceId}-${PARENT}-01` };
}

describe('a server that is asked to trace', () => {
  let collector: OtlpCollector;
  let server: ServerProcess;
  beforeAll(async () => {
    collector = await OtlpCollector.start();
    server = await startServerProcess([...MODEL, '--max_batch_size', '3'], {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=SECRET-KEY',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      },
    });
  });
  afterAll(async () => {
    await server.stop();
    await collector.stop();
  });

  function embed(body: object, headers: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(`${server.url}/v3/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'tiny', ...body }),
    });
  }

  test('continues the trace of a request, with a span for each stage', async () => {
    const { traceId, traceparent } = newTrace();
    await embed(
      { input: ['SECRET text', 'b', 'b'] },
      { traceparent, 'x-request-id': 'my id', authorization: 'Bearer SECRET' },
    );
    const spans = await collector.trace(traceId);
    const [top, ...stages] = spans;
    expect(top).toMatchObject({ name: 'POST /v3/embeddings', kind: 2, parentId: PARENT });
    expect(top?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v3/embeddings',
      'http.response.status_code': 200,
      'tensorgate.request.id': 'my id',
      'tensorgate.model': 'tiny',
      'tensorgate.inputs': 3,
    });
    expect(top?.resource).toMatchObject({
      'service.name': 'tensorgate',
      'deployment.environment': 'test',
    });
    expect([...new Set(stages.map(({ name }) => name))]).toEqual([
      'validate',
      'tokenize',
      'queue',
      'inference',
      'encode',
    ]);
    for (const { parentId, startNs, endNs } of stages) {
      expect(parentId).toBe(top?.spanId);
      expect(startNs).toBeGreaterThanOrEqual(top?.startNs ?? 0n);
      expect(endNs).toBeGreaterThanOrEqual(startNs);
      expect(endNs).toBeLessThanOrEqual(top?.endNs ?? 0n);
    }
    const rows = stages.map(({ attributes }) => Number(attributes['tensorgate.batch.rows'] ?? 0));
    // Equal texts run once.
    expect(rows.reduce((sum, count) => sum + count)).toBe(2);
    const told = spans.map(({ attributes, name }) => JSON.stringify([attributes, name]));
    expect(told.filter((text) => text.includes('SECRET'))).toEqual([]);
    expect(collector.headers[0]).toMatchObject({ 'api-key': 'SECRET-KEY' });
  });

  test('continues the trace of a request over HTTP/2', async () => {
    const { traceId, traceparent } = newTrace();
    const client = await H2Client.open(server.port);
    const body = JSON.stringify({ model: 'tiny', input: 'a' });
    expect((await client.post(body, { traceparent })).status).toBe(200);
    client.close();
    const [top] = await collector.trace(traceId);
    expect(top).toMatchObject({ name: 'POST /v3/embeddings', parentId: PARENT });
  });

  test('shows what refused a request', async () => {
    const { traceId, traceparent } = newTrace();
    await embed({ input: ['a', 'b', 'c', 'd'] }, { traceparent });
    const spans = await collector.trace(traceId);
    expect(spans.map(({ name }) => name)).toEqual(['POST /v3/embeddings', 'validate']);
    expect(spans[0]?.attributes).toMatchObject({
      'http.response.status_code': 400,
      'error.type': 'batch_too_large',
    });
    expect(spans[0]?.status).toBe(0);
  });

  test('begins a trace for a request without one, and for a probe only if it has one', async () => {
    await fetch(`${server.url}/v2/health/live`);
    await embed({ input: 'a' }, { traceparent: 'nonsense' });
    const { traceId, traceparent } = newTrace();
    await fetch(`${server.url}/v2/health/live`, { headers: { traceparent } });
    const probe = await collector.trace(traceId);
    expect(probe.map(({ name }) => name)).toEqual(['GET /v2/health/live']);
    const own = collector.spans.filter(({ kind, parentId }) => kind === 2 && parentId === '');
    expect(own.map(({ name }) => name)).toEqual(['POST /v3/embeddings']);
  });
});

test('a server sends the last spans before it ends', async () => {
  const collector = await OtlpCollector.start();
  const server = await startServerProcess(MODEL, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000' },
  });
  const { traceId, traceparent } = newTrace();
  await fetch(`${server.url}/v3/models`, { headers: { traceparent } });
  await expect(server.stop()).resolves.toEqual({ code: 0, signal: null });
  expect(collector.spans.map((span) => span.traceId)).toEqual([traceId]);
  await collector.stop();
});

test('a server whose collector is away serves, says so, and ends', async () => {
  const server = await startServerProcess(MODEL, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  });
  const { traceparent } = newTrace();
  const { status } = await fetch(`${server.url}/v3/models`, { headers: { traceparent } });
  expect(status).toBe(200);
  await server.written('Cannot export traces');
  await expect(server.stop()).resolves.toEqual({ code: 0, signal: null });
});

test('an exporter that there is not leaves tracing off, with a warning', async () => {
  const server = await startServerProcess(MODEL, { env: { OTEL_TRACES_EXPORTER: 'zipkin' } });
  expect((await fetch(`${server.url}/v3/models`)).status).toBe(200);
  expect(await server.written('Cannot trace')).toContain('"level":"WARNING"');
  await server.stop();
});
