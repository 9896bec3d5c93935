import type { Log } from './logger.ts';
import type { ServerState } from './metrics.ts';
import { openMetrics } from './prometheus.ts';
import type { MetricsText } from './prometheus.ts';
import { logRequests } from './request-log.ts';
import { StageLog } from './stages.ts';
import { startTracing } from './tracing.ts';
import type { Environment } from './tracing.ts';

/** What those who watch a server need. */
export interface ObserverOptions {
  readonly log: Log;
  /** For tracing. */
  readonly env: Environment;
  readonly state: ServerState;
  /** Whether metrics are kept. */
  readonly metricsEnable: boolean;
}

/** All who watch a server: its metrics, its request log and its traces. */
export interface Observers {
  /** Null if metrics aren't kept. */
  readonly metrics: (() => Promise<MetricsText>) | null;
  /** Ends them, when the last spans are sent or can't be. */
  readonly close: () => Promise<void>;
}

/**
 * Lets those who watch subscribe to what the stages tell.
 *
 * @param options - What they need.
 * @returns All at work.
 */
export async function openObservers(options: ObserverOptions): Promise<Observers> {
  const { log, env, state, metricsEnable } = options;
  const stages = new StageLog();
  const endLog = logRequests(log, stages);
  const endTracing = await startTracing({ env, log, stages, version: state.version });
  const metrics = metricsEnable ? openMetrics(state) : null;
  return {
    metrics: metrics?.read ?? null,
    close: async () => {
      stages.close();
      endLog();
      metrics?.close();
      await endTracing?.();
    },
  };
}
