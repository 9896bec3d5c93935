import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const TINY = join(ROOT, 'test/fixtures/tiny-bert-embeddings');
const MODEL = ['--task', 'embeddings', '--model_name', 'tiny', '--model_path', TINY];

function embed({ url }: ServerProcess, body: object): Promise<Response> {
  return fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', ...body }),
  });
}

/** Samples by name and labels. */
async function scrape({ url }: ServerProcess): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const lines = text.matchAll(/^([a-z]\S*?(?:\{.*\})?) (\S+)$/gm);
  return new Map(Array.from(lines, ([, name = '', value]) => [name, Number(value)]));
}

describe('GET /metrics', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess([...MODEL, '--max_batch_size', '4']);
  });
  afterAll(async () => {
    await server.stop();
  });

  test('counts what was asked, what was refused, and what was run for it', async () => {
    const before = await scrape(server);
    const answer = (await (await embed(server, { input: ['a', 'b c', 'a'] })).json()) as {
      usage: { prompt_tokens: number };
    };
    await embed(server, { input: Array(5).fill('a') });
    await embed(server, { model: 'made up', input: 'a' });
    await fetch(`${server.url}/made/up`);
    const after = await scrape(server);
    function grown(name: string): number {
      return (after.get(name) ?? 0) - (before.get(name) ?? 0);
    }
    const route = 'route="/v3/embeddings"';
    expect(grown(`tensorgate_requests_total{${route},model="tiny",status="200"}`)).toBe(1);
    expect(grown(`tensorgate_requests_total{${route},model="tiny",status="400"}`)).toBe(1);
    expect(grown(`tensorgate_requests_total{${route},model="",status="404"}`)).toBe(1);
    expect(grown('tensorgate_requests_total{route="unknown",model="",status="404"}')).toBe(1);
    expect(grown('tensorgate_refusals_total{code="batch_too_large"}')).toBe(1);
    expect(grown(`tensorgate_request_duration_seconds_count{${route}}`)).toBe(3);
    expect(grown('tensorgate_inputs_total{model="tiny"}')).toBe(3);
    const tokens = answer.usage.prompt_tokens;
    expect(grown('tensorgate_tokens_total{model="tiny"}')).toBe(tokens);
    // Equal texts run once.
    expect(grown('tensorgate_batch_rows_sum{model="tiny"}')).toBe(2);
    for (const stage of ['tokenize', 'queue']) {
      expect(grown(`tensorgate_${stage}_duration_seconds_count{model="tiny"}`)).toBe(1);
    }
    const batches = grown('tensorgate_inference_duration_seconds_count{model="tiny"}');
    expect(batches).toBeGreaterThanOrEqual(1);
    expect(grown('tensorgate_batch_padding_ratio_count{model="tiny"}')).toBe(batches);
    const padded = grown('tensorgate_batch_padded_tokens_total{model="tiny"}');
    expect(padded).toBeGreaterThanOrEqual(grown('tensorgate_batch_tokens_total{model="tiny"}'));
    expect(JSON.stringify([...after.keys()])).not.toContain('made up');
  });

  test('tells how things are', async () => {
    const samples = await scrape(server);
    expect(samples.get('tensorgate_model_ready{model="tiny"}')).toBe(1);
    expect(samples.get('tensorgate_queue_tokens{model="tiny"}')).toBe(0);
    expect(samples.get('tensorgate_workers{model="tiny"}')).toBeGreaterThanOrEqual(1);
    expect(samples.get('tensorgate_workers_busy{model="tiny"}')).toBe(0);
    // The scrape itself.
    expect(samples.get('tensorgate_open_requests')).toBe(1);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });
});

test('the queue and the busy workers show while there is work, and its end when the client goes', async () => {
  const server = await startServerProcess(['--config_path', join(ROOT, 'config.yaml')]);
  const model = 'sentence-transformers/all-MiniLM-L6-v2';
  const client = new AbortController();
  // Minutes of work.
  const input = Array.from({ length: 500 }, (_, at) => `${at} ${'word '.repeat(480)}`);
  const given = fetch(`${server.url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input }),
    signal: client.signal,
  }).catch((error: unknown) => (error as Error).name);
  let samples = await scrape(server);
  function value(name: string): number {
    return samples.get(`tensorgate_${name}{model="${model}"}`) ?? NaN;
  }
  while (value('queue_tokens') === 0) samples = await scrape(server);
  expect(value('workers_busy')).toBeGreaterThanOrEqual(1);
  client.abort();
  expect(await given).toBe('AbortError');
  while (value('queue_tokens') > 0 || value('workers_busy') > 0) samples = await scrape(server);
  const hungUp = `tensorgate_requests_total{route="/v3/embeddings",model="${model}",status="499"}`;
  expect(samples.get(hungUp)).toBe(1);
  await server.stop();
});

test('a worker that dies is counted, and a request that kills two of them is an error in the log', async () => {
  const env = { TENSORGATE_FAULT_TEXT: 'a text that kills' };
  const server = await startServerProcess(MODEL, { env });
  expect((await embed(server, { input: env.TENSORGATE_FAULT_TEXT })).status).toBe(500);
  const restarts = 'tensorgate_worker_restarts_total{model="tiny"}';
  while (((await scrape(server)).get(restarts) ?? 0) < 2) await setImmediate();
  expect((await scrape(server)).get(restarts)).toBe(2);
  expect(await server.written('inference_failed')).toMatch(/"level":"ERROR".*"status":500/);
  await server.stop();
});

test('--metrics_enable false keeps no metrics and says how to have them', async () => {
  const server = await startServerProcess([...MODEL, '--metrics_enable', 'false']);
  const response = await fetch(`${server.url}/metrics`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('--metrics_enable');
  await server.stop();
});
