import type { ErrorCode } from '../errors.ts';
import type { ChannelName, EventOf, Span } from './channels.ts';

/** How busy a model's engine is. */
export interface ModelLoad {
  readonly model: string;
  readonly queuedTokens: number;
  readonly workers: number;
  readonly busyWorkers: number;
}

/** What is looked at when metrics are asked for. */
export interface ServerState {
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  readonly openRequests: () => number;
  readonly models: () => readonly { readonly name: string; readonly state: string }[];
  readonly loads: () => readonly ModelLoad[];
}

/** A value with those of the metric's labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Described {
  /** Source of the rules: Prometheus, naming best practices. */
  readonly name: string;
  readonly help: string;
}

/** A metric that events of a channel change. */
export interface EventMetric<Name extends ChannelName> extends Described {
  readonly kind: 'counter' | 'histogram';
  readonly channel: Name;
  /** Names of labels, and their values; all from closed lists. */
  readonly labels: Readonly<Record<string, (event: EventOf<Name>) => string>>;
  /** What is counted or observed; null: nothing. */
  readonly value: (event: EventOf<Name>) => number | null;
  /** Upper bounds, of a histogram. */
  readonly buckets?: readonly number[];
}

/** A metric that is looked up when metrics are asked for. */
export interface StateMetric extends Described {
  readonly kind: 'gauge';
  readonly channel: null;
  readonly labels: readonly string[];
  /** Samples of the same labels are added up. */
  readonly samples: (state: ServerState) => readonly Sample[];
}

/** A row of {@link METRICS}. */
export type Metric = { [Name in ChannelName]: EventMetric<Name> }[ChannelName] | StateMetric;

/** Errors that say that a limit was reached. */
const LIMITS: ReadonlySet<ErrorCode | null> = new Set([
  'headers_too_large',
  'request_timeout',
  'body_too_large',
  'batch_too_large',
  'tensor_too_large',
  'input_too_long',
  'answer_too_large',
  'overloaded',
  'deadline_exceeded',
]);

/** From a query that nothing waits for to the heaviest request of a slow machine, in s. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Rows of a batch. */
const ROWS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** Parts of a batch. */
const RATIOS = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75];

const OF_MODEL = { model: ({ model }: { readonly model: string }): string => model };

/** All metrics of ours; those of the process and of Node.js come from prom-client. */
export const METRICS: readonly Metric[] = [
  {
    name: 'tensorgate_requests_total',
    kind: 'counter',
    help: 'Requests that are over, by the status they were answered with; 499 if the client hung up before.',
    channel: 'request',
    labels: {
      route: ({ route }) => route ?? 'unknown',
      model: ({ model }) => model ?? '',
      status: ({ status }) => String(status),
    },
    value: () => 1,
  },
  {
    name: 'tensorgate_refusals_total',
    kind: 'counter',
    help: 'Requests that were refused by a limit, by its error code.',
    channel: 'request',
    labels: { code: ({ code }) => code ?? '' },
    value: ({ code }) => (LIMITS.has(code) ? 1 : null),
  },
  {
    name: 'tensorgate_request_duration_seconds',
    kind: 'histogram',
    help: 'From the headers of a request to the last byte of its answer.',
    channel: 'request',
    labels: { route: ({ route }) => route ?? 'unknown' },
    value: secondsOf,
    buckets: SECONDS,
  },
  {
    name: 'tensorgate_inputs_total',
    kind: 'counter',
    help: 'Inputs that were tokenized and fit.',
    channel: 'tokenize',
    labels: OF_MODEL,
    value: ({ inputs }) => inputs,
  },
  {
    name: 'tensorgate_tokens_total',
    kind: 'counter',
    help: 'Tokens of these inputs, with special tokens and without padding, as in the usage of answers.',
    channel: 'tokenize',
    labels: OF_MODEL,
    value: ({ tokens }) => tokens,
  },
  {
    name: 'tensorgate_tokenize_duration_seconds',
    kind: 'histogram',
    help: 'Tokenizing all inputs of a request.',
    channel: 'tokenize',
    labels: OF_MODEL,
    value: secondsOf,
    buckets: SECONDS,
  },
  {
    name: 'tensorgate_queue_duration_seconds',
    kind: 'histogram',
    help: 'From the arrival of the rows of a request to the start of the first batch that held one.',
    channel: 'queue',
    labels: OF_MODEL,
    value: secondsOf,
    buckets: SECONDS,
  },
  {
    name: 'tensorgate_inference_duration_seconds',
    kind: 'histogram',
    help: 'A batch in its worker; the count is the number of batches.',
    channel: 'batch',
    labels: OF_MODEL,
    value: ({ runMs }) => runMs / 1000,
    buckets: SECONDS,
  },
  {
    name: 'tensorgate_batch_rows',
    kind: 'histogram',
    help: 'Rows of a batch.',
    channel: 'batch',
    labels: OF_MODEL,
    value: ({ rows }) => rows,
    buckets: ROWS,
  },
  {
    name: 'tensorgate_batch_tokens_total',
    kind: 'counter',
    help: 'Tokens that were run, without padding; equal texts of a request run once.',
    channel: 'batch',
    labels: OF_MODEL,
    value: ({ tokens }) => tokens,
  },
  {
    name: 'tensorgate_batch_padded_tokens_total',
    kind: 'counter',
    help: 'Tokens that were run, with padding: rows by the tokens of the longest.',
    channel: 'batch',
    labels: OF_MODEL,
    value: ({ paddedTokens }) => paddedTokens,
  },
  {
    name: 'tensorgate_batch_padding_ratio',
    kind: 'histogram',
    help: 'Part of a batch that is padding.',
    channel: 'batch',
    labels: OF_MODEL,
    value: ({ tokens, paddedTokens }) => 1 - tokens / paddedTokens,
    buckets: RATIOS,
  },
  {
    name: 'tensorgate_worker_restarts_total',
    kind: 'counter',
    help: 'Inference workers that ended by themselves and were replaced.',
    channel: 'restart',
    labels: OF_MODEL,
    value: () => 1,
  },
  {
    name: 'tensorgate_reloads_total',
    kind: 'counter',
    help: 'Times that the configuration was read again: applied, unchanged, or refused as invalid.',
    channel: 'reload',
    labels: { outcome: ({ outcome }) => outcome },
    value: () => 1,
  },
  {
    name: 'tensorgate_open_requests',
    kind: 'gauge',
    help: 'Requests that are being answered.',
    channel: null,
    labels: [],
    samples: ({ openRequests }) => [{ labels: {}, value: openRequests() }],
  },
  {
    name: 'tensorgate_model_ready',
    kind: 'gauge',
    help: '1 if the model can answer, 0 if it is loading or has failed.',
    channel: null,
    labels: ['model'],
    samples: ({ models }) =>
      models().map(({ name: model, state }) => {
        return { labels: { model }, value: state === 'ready' ? 1 : 0 };
      }),
  },
  {
    name: 'tensorgate_queue_tokens',
    kind: 'gauge',
    help: 'Tokens of the rows that wait for a worker.',
    channel: null,
    labels: ['model'],
    samples: (state) => loadSamples(state, ({ queuedTokens }) => queuedTokens),
  },
  {
    name: 'tensorgate_workers',
    kind: 'gauge',
    help: 'Inference workers that are open.',
    channel: null,
    labels: ['model'],
    samples: (state) => loadSamples(state, ({ workers }) => workers),
  },
  {
    name: 'tensorgate_workers_busy',
    kind: 'gauge',
    help: 'Inference workers that run a batch.',
    channel: null,
    labels: ['model'],
    samples: (state) => loadSamples(state, ({ busyWorkers }) => busyWorkers),
  },
  {
    name: 'tensorgate_build_info',
    kind: 'gauge',
    help: 'Always 1; the version of the server is a label.',
    channel: null,
    labels: ['version'],
    samples: ({ version }) => [{ labels: { version }, value: 1 }],
  },
];

function secondsOf({ startMs, endMs }: Span): number {
  return (endMs - startMs) / 1000;
}

function loadSamples(
  { loads }: ServerState,
  valueOf: (load: ModelLoad) => number,
): readonly Sample[] {
  return loads().map((load) => ({ labels: { model: load.model }, value: valueOf(load) }));
}
