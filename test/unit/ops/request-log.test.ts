import { CHANNELS, type RequestEvent } from '../../../src/ops/channels.ts';
import { logRequests } from '../../../src/ops/request-log.ts';
import { StageLog } from '../../../src/ops/stages.ts';

const EVENT: RequestEvent = {
  request: { id: 'abc' },
  method: 'POST',
  route: '/v3/embeddings',
  isInference: true,
  model: 'm',
  status: 200,
  code: null,
  traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
  tracestate: undefined,
  startMs: 10,
  endMs: 22.3456,
};

describe('logRequests()', () => {
  const lines: unknown[][] = [];
  const stages = new StageLog();
  const end = logRequests((...line) => void lines.push(line), stages);
  afterEach(() => {
    lines.length = 0;
  });
  afterAll(() => {
    end();
    stages.close();
  });

  test('writes a line for a request with what its stages told', () => {
    const request = { id: 'abc' };
    const told = { request, model: 'm' };
    CHANNELS.tokenize.publish({ ...told, inputs: 3, tokens: 20, startMs: 11, endMs: 12 });
    CHANNELS.queue.publish({ ...told, startMs: 12, endMs: 12.5 });
    const batch = { model: 'm', requests: [request], rows: 2, tokens: 12, paddedTokens: 14 };
    CHANNELS.batch.publish({ ...batch, startMs: 12.5, endMs: 15, runMs: 2.25 });
    CHANNELS.batch.publish({ ...batch, startMs: 15, endMs: 18, runMs: 2.5 });
    CHANNELS.request.publish({ ...EVENT, request });
    const fields = {
      id: 'abc',
      method: 'POST',
      route: '/v3/embeddings',
      model: 'm',
      status: 200,
      code: null,
      total_ms: 12.35,
      inputs: 3,
      tokens: 20,
      tokenize_ms: 1,
      queue_ms: 0.5,
      inference_ms: 5.5,
    };
    expect(lines).toEqual([['INFO', 'Request', fields]]);
  });

  test.each([
    ['INFO', { route: null, status: 404, code: 'not_found' }],
    ['INFO', { status: 429, code: 'overloaded' }],
    ['INFO', { status: 499, code: 'client_closed' }],
    ['ERROR', { status: 500, code: 'inference_failed' }],
    ['DEBUG', { route: '/v2/health/live' }],
    ['DEBUG', { route: '/metrics' }],
    ['INFO', { route: '/v2/health/ready', status: 503, code: 'model_loading' }],
  ] as const)('writes at %s that a request ended in %j', (level, change) => {
    CHANNELS.request.publish({ ...EVENT, request: { id: 'other' }, ...change });
    expect(lines).toEqual([[level, 'Request', expect.objectContaining({ ...change })]]);
    expect(lines[0]?.[2]).not.toHaveProperty('inputs');
  });
});
