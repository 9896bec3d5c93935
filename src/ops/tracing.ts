import type {
  Attributes,
  Context,
  Span,
  SpanKind,
  SpanStatusCode,
  Tracer,
} from '@opentelemetry/api';
import { CHANNELS } from './channels.ts';
import type { RequestEvent, Span as Period } from './channels.ts';
import type { Log } from './logger.ts';
import type { Stages, StageLog } from './stages.ts';

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What tracing needs. */
export interface TracingOptions {
  /** The OpenTelemetry SDK reads its `OTEL_*` variables from the process itself. */
  readonly env: Environment;
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  readonly stages: StageLog;
  readonly log: Log;
}

/** ms that a silent collector may hold up the end of the process. */
const LAST_SPANS_MS = 2_000;

/** Values of `OTEL_TRACES_EXPORTER` that are served. */
const EXPORTERS = ['otlp', 'console', 'none'];

/**
 * Traces requests, if the environment asks for it: otherwise nothing is loaded and nobody listens.
 *
 * Spans are made when a request is over, from what its stages told: a server span as the child of the
 * request's `traceparent`, and below it one for each stage. Inference routes are traced, and others
 * that bring a `traceparent`.
 *
 * @param options - What tracing needs.
 * @returns Ends it, when the last spans are sent or can't be; null if it's off.
 */
export async function startTracing(options: TracingOptions): Promise<(() => Promise<void>) | null> {
  const exporter = exporterOf(options.env);
  if (exporter === 'none') return null;
  if (!EXPORTERS.includes(exporter)) {
    options.log(
      'WARNING',
      'Cannot trace: OTEL_TRACES_EXPORTER must be one of otlp, console, none',
      {
        exporter,
      },
    );
    return null;
  }
  const sdk = await openSdk(exporter, options);
  const unsubscribe = CHANNELS.request.subscribe((event) => {
    if (event.isInference || event.traceparent !== undefined) {
      sdk.record(event, options.stages.of(event.request));
    }
  });
  return async () => {
    unsubscribe();
    await sdk.close();
  };
}

// Source: OpenTelemetry, environment variable specification. Without a sign of interest it's off.
function exporterOf(env: Environment): string {
  if (/^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '')) return 'none';
  const named = env['OTEL_TRACES_EXPORTER'] ?? '';
  if (named !== '') return named;
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return (endpoint ?? '') === '' ? 'none' : 'otlp';
}

interface Sdk {
  readonly record: (event: RequestEvent, stages: Readonly<Stages>) => void;
  readonly close: () => Promise<void>;
}

async function openSdk(exporter: string, { version, log }: TracingOptions): Promise<Sdk> {
  const [api, core, resources, base] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  core.setGlobalErrorHandler((error) => {
    log('WARNING', 'Cannot export traces', { reason: reasonOf(error) });
  });
  const provider = new base.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(
        resources.resourceFromAttributes({
          'service.name': 'tensorgate',
          'service.version': version,
        }),
      )
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      exporter === 'console'
        ? new base.SimpleSpanProcessor(new base.ConsoleSpanExporter())
        : new base.BatchSpanProcessor(await otlpExporter()),
    ],
  });
  const propagator = new core.W3CTraceContextPropagator();
  const recorder = new Recorder(provider.getTracer('tensorgate', version), {
    setSpan: (span) => api.trace.setSpan(api.ROOT_CONTEXT, span),
    parentOf: ({ traceparent, tracestate }) =>
      propagator.extract(api.ROOT_CONTEXT, { traceparent, tracestate }, api.defaultTextMapGetter),
    server: api.SpanKind.SERVER,
    error: api.SpanStatusCode.ERROR,
  });
  return {
    record: (event, stages) => {
      recorder.record(event, stages);
    },
    close: async () => {
      const bound = new Promise((resolve) => setTimeout(resolve, LAST_SPANS_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), bound]);
    },
  };
}

async function otlpExporter() {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

// The error's message: never its headers, which may hold a key.
function reasonOf(error: unknown): string {
  const { message } = error as Partial<Error>;
  return message ?? String(error);
}

interface Parts {
  readonly setSpan: (span: Span) => Context;
  readonly parentOf: (event: RequestEvent) => Context;
  readonly server: SpanKind;
  readonly error: SpanStatusCode;
}

/** Makes the spans of a request. */
class Recorder {
  readonly #tracer: Tracer;
  readonly #parts: Parts;

  constructor(tracer: Tracer, parts: Parts) {
    this.#tracer = tracer;
    this.#parts = parts;
  }

  record(event: RequestEvent, stages: Readonly<Stages>): void {
    const { method, route, startMs, endMs, status } = event;
    // One difference of the clocks for all spans of a request: the wall clock has only whole ms.
    const epochMs = Date.now() - performance.now();
    const span = this.#tracer.startSpan(
      route === null ? method : `${method} ${route}`,
      {
        kind: this.#parts.server,
        startTime: epochMs + startMs,
        attributes: attributesOf(event, stages),
      },
      this.#parts.parentOf(event),
    );
    if (status >= 500) span.setStatus({ code: this.#parts.error });
    if (span.isRecording() && event.isInference) {
      const context = this.#parts.setSpan(span);
      for (const [name, period, attributes] of periodsOf(event, stages)) {
        const child = { startTime: epochMs + period.startMs, attributes };
        this.#tracer.startSpan(name, child, context).end(epochMs + period.endMs);
      }
    }
    span.end(epochMs + endMs);
  }
}

// Names of the first five: OpenTelemetry, semantic conventions for HTTP.
function attributesOf(event: RequestEvent, { tokenize }: Readonly<Stages>): Attributes {
  const { request, method, route, model, status, code } = event;
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    'url.scheme': 'http',
    ...(route === null ? {} : { 'http.route': route }),
    ...(code === null ? {} : { 'error.type': code }),
    'tensorgate.request.id': request.id,
    ...(model === null ? {} : { 'tensorgate.model': model }),
    ...(tokenize === null
      ? {}
      : { 'tensorgate.inputs': tokenize.inputs, 'tensorgate.tokens': tokenize.tokens }),
  };
}

type Stage = readonly [name: string, period: Period, attributes: Attributes];

function periodsOf(
  { startMs, endMs, code }: RequestEvent,
  { tokenize, queue, batches }: Readonly<Stages>,
): readonly Stage[] {
  // A request that is refused spent its time in the checks.
  const stages: Stage[] = [
    ['validate', { startMs, endMs: tokenize === null ? endMs : tokenize.startMs }, {}],
  ];
  if (tokenize !== null) stages.push(['tokenize', tokenize, {}]);
  if (queue !== null) stages.push(['queue', queue, {}]);
  for (const { rows, tokens, paddedTokens, ...period } of batches) {
    stages.push([
      'inference',
      period,
      {
        'tensorgate.batch.rows': rows,
        'tensorgate.batch.tokens': tokens,
        'tensorgate.batch.padded_tokens': paddedTokens,
      },
    ]);
  }
  const last = batches.at(-1);
  if (last !== undefined && code === null) {
    stages.push(['encode', { startMs: last.endMs, endMs }, {}]);
  }
  return stages;
}
