import { CHANNELS } from '../../../src/ops/channels.ts';
import { METRICS, type ModelLoad, type ServerState } from '../../../src/ops/metrics.ts';
import { openMetrics, type OpenMetrics } from '../../../src/ops/prometheus.ts';

const SPAN = { startMs: 1_000, endMs: 1_020 };
const REQUEST = {
  ...SPAN,
  request: { id: 'a' },
  method: 'POST',
  route: '/v3/embeddings',
  isInference: true,
  model: 'm',
  status: 200,
  code: null,
  traceparent: undefined,
  tracestate: undefined,
};

describe('METRICS', () => {
  test.each(METRICS.map((metric) => [metric.name, metric] as const))(
    'names %s as Prometheus would',
    (name, { kind, help }) => {
      expect(name).toMatch(/^tensorgate_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      expect(help).toMatch(/^[A-Z0-9].*\.$/);
    },
  );
});

describe('openMetrics()', () => {
  const loads: ModelLoad[] = [];
  const state: ServerState = {
    version: '1.2.3',
    openRequests: () => 7,
    models: () => [
      { name: 'm', state: 'ready' },
      { name: 'n', state: 'failed' },
    ],
    loads: () => loads,
  };
  let metrics: OpenMetrics;
  beforeEach(() => {
    metrics = openMetrics(state);
  });
  afterEach(() => {
    metrics.close();
    loads.length = 0;
  });

  /** Samples of ours, but those of buckets. */
  async function samples(): Promise<readonly string[]> {
    const { text } = await metrics.read();
    return text.split('\n').filter((line) => /^tensorgate_(?!\w*_bucket)/.test(line));
  }

  test('counts requests by route, model and status, from closed lists', async () => {
    CHANNELS.request.publish(REQUEST);
    CHANNELS.request.publish(REQUEST);
    const unknown = { ...REQUEST, route: null, model: null, status: 404 };
    CHANNELS.request.publish({ ...unknown, code: 'not_found' });
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'tensorgate_requests_total{route="/v3/embeddings",model="m",status="200"} 2',
        'tensorgate_requests_total{route="unknown",model="",status="404"} 1',
        'tensorgate_request_duration_seconds_sum{route="/v3/embeddings"} 0.04',
        'tensorgate_request_duration_seconds_count{route="/v3/embeddings"} 2',
      ]),
    );
  });

  test('counts what limits refuse, and no other error', async () => {
    for (const code of ['overloaded', 'batch_too_large', 'overloaded', 'not_found'] as const) {
      CHANNELS.request.publish({ ...REQUEST, code });
    }
    const refusals = (await samples()).filter((line) => line.includes('refusals'));
    expect(refusals).toEqual([
      'tensorgate_refusals_total{code="overloaded"} 2',
      'tensorgate_refusals_total{code="batch_too_large"} 1',
    ]);
  });

  test('adds up what the stages tell', async () => {
    const told = { request: REQUEST.request, model: 'm', ...SPAN };
    CHANNELS.tokenize.publish({ ...told, inputs: 3, tokens: 30 });
    CHANNELS.queue.publish(told);
    const batch = { rows: 4, tokens: 30, paddedTokens: 40, runMs: 5 };
    CHANNELS.batch.publish({ model: 'm', requests: [REQUEST.request], ...batch, ...SPAN });
    CHANNELS.restart.publish({ model: 'm' });
    CHANNELS.reload.publish({ outcome: 'refused', reason: 'no' });
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'tensorgate_inputs_total{model="m"} 3',
        'tensorgate_tokens_total{model="m"} 30',
        'tensorgate_tokenize_duration_seconds_sum{model="m"} 0.02',
        'tensorgate_queue_duration_seconds_sum{model="m"} 0.02',
        'tensorgate_inference_duration_seconds_sum{model="m"} 0.005',
        'tensorgate_batch_rows_sum{model="m"} 4',
        'tensorgate_batch_tokens_total{model="m"} 30',
        'tensorgate_batch_padded_tokens_total{model="m"} 40',
        'tensorgate_batch_padding_ratio_sum{model="m"} 0.25',
        'tensorgate_worker_restarts_total{model="m"} 1',
        'tensorgate_reloads_total{outcome="refused"} 1',
      ]),
    );
  });

  test('looks up what is now, and adds up two engines of a model', async () => {
    const load = { model: 'm', workers: 2 };
    loads.push({ ...load, queuedTokens: 5, busyWorkers: 1 });
    loads.push({ ...load, queuedTokens: 6, busyWorkers: 0 });
    const expected = [
      'tensorgate_open_requests 7',
      'tensorgate_model_ready{model="m"} 1',
      'tensorgate_model_ready{model="n"} 0',
      'tensorgate_queue_tokens{model="m"} 11',
      'tensorgate_workers{model="m"} 4',
      'tensorgate_workers_busy{model="m"} 1',
      'tensorgate_build_info{version="1.2.3"} 1',
    ];
    expect(await samples()).toEqual(expect.arrayContaining(expected));
    expect(await samples()).toEqual(expect.arrayContaining(expected));
    loads.length = 0;
    expect((await samples()).filter((line) => /_workers|_queue_tokens/.test(line))).toEqual([]);
  });

  test('counts nothing more once it is closed', async () => {
    metrics.close();
    CHANNELS.request.publish(REQUEST);
    expect((await samples()).filter((line) => line.includes('requests_total'))).toEqual([]);
  });
});
