import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CHANNELS } from './channels.ts';
import { METRICS } from './metrics.ts';
import type { EventMetric, Metric, ServerState } from './metrics.ts';

/** Metrics as Prometheus reads them. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Metrics at work. */
export interface OpenMetrics {
  /** All metrics, as they are now. */
  readonly read: () => Promise<MetricsText>;
  /** Stops counting. */
  readonly close: () => void;
}

/**
 * Starts to count what happens in this process.
 *
 * @param state - Looked at whenever metrics are read.
 * @returns The metrics, from 0.
 */
export function openMetrics(state: ServerState): OpenMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const unsubscribe = METRICS.flatMap((metric) => register(metric, registry, state));
  return {
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    close: () => {
      for (const end of unsubscribe) end();
    },
  };
}

function register(metric: Metric, registry: Registry, state: ServerState): readonly (() => void)[] {
  if (metric.channel !== null)
    return [count(metric as unknown as EventMetric<'request'>, registry)];
  const { name, help, labels, samples } = metric;
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const sample of samples(state)) this.inc({ ...sample.labels }, sample.value);
    },
  });
  return [];
}

// Whatever its channel: a metric reads only events of its own.
function count(metric: EventMetric<'request'>, registry: Registry): () => void {
  const labels = Object.entries(metric.labels);
  const add = adderOf(metric, registry);
  return CHANNELS[metric.channel].subscribe((event) => {
    const value = metric.value(event);
    if (value === null) return;
    const values: Record<string, string> = {};
    for (const [name, valueOf] of labels) values[name] = valueOf(event);
    add(values, value);
  });
}

type Add = (labels: Record<string, string>, value: number) => void;

function adderOf({ kind, ...metric }: EventMetric<'request'>, registry: Registry): Add {
  const { name, help, labels, buckets = [] } = metric;
  const described = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (kind === 'counter') {
    const counter = new Counter(described);
    return (values, value) => {
      counter.inc(values, value);
    };
  }
  const histogram = new Histogram({ ...described, buckets: [...buckets] });
  return (values, value) => {
    histogram.observe(values, value);
  };
}
