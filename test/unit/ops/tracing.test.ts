import { CHANNELS } from '../../../src/ops/channels.ts';
import type { Log } from '../../../src/ops/logger.ts';
import { StageLog } from '../../../src/ops/stages.ts';
import { startTracing, type Environment } from '../../../src/ops/tracing.ts';

const ENDPOINT = 'http://127.0.0.1:9';

describe('startTracing()', () => {
  const stages = new StageLog();
  const lines: Parameters<Log>[] = [];
  afterAll(() => {
    stages.close();
  });

  function start(env: Environment): Promise<(() => Promise<void>) | null> {
    return startTracing({ env, stages, version: '1.2.3', log: (...line) => void lines.push(line) });
  }

  test.each<[Environment]>([
    [{}],
    [{ OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_EXPORTER: '' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  ])('is off with %j, and nobody listens', async (env) => {
    expect(await start(env)).toBeNull();
    expect(CHANNELS.request.hasSubscribers).toBe(false);
    expect(lines).toEqual([]);
  });

  test('is off for an exporter that there is not, and says so', async () => {
    expect(await start({ OTEL_TRACES_EXPORTER: 'jaeger' })).toBeNull();
    expect(lines.splice(0)).toEqual([
      ['WARNING', expect.stringMatching(/^Cannot trace: /), { exporter: 'jaeger' }],
    ]);
  });

  test.each<[Environment]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/v1/traces` }],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }],
    [{ OTEL_TRACES_EXPORTER: 'console' }],
  ])('listens with %j until it is ended', async (env) => {
    const end = await start(env);
    expect(CHANNELS.request.hasSubscribers).toBe(true);
    await end?.();
    expect(CHANNELS.request.hasSubscribers).toBe(false);
  });
});
