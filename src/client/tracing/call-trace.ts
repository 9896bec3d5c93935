import { invalid } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import type { Headers } from '../transport.ts';
import {
  endSpan,
  isSampled,
  parseTraceparent,
  startSpan,
  traceparentOf,
  type Parent,
} from './span.ts';
import { SpanExporter } from './span-exporter.ts';
import { traceSettings } from './trace-settings.ts';

/** What tracing adds to a call. */
export interface CallTrace {
  /** Headers that every request carries in place of the caller's trace headers. */
  readonly headers: Headers;
  /** Ends the span. */
  readonly end: (ok: boolean) => void;
}

const TRACE_NAMES = ['traceparent', 'tracestate'] as const;

/** The exporter of this process, made at the first span. */
let exporter: SpanExporter | null = null;

/** Exports the spans that wait, and resolves when that is done; never rejects. */
export async function flushTracing(): Promise<void> {
  await exporter?.flush();
}

/** What {@link traceCall} needs of a call. */
export interface TracedCall {
  /** As in `perfclient.embed`. */
  readonly name: string;
  readonly settings: Settings;
  readonly logger: Logger;
}

/**
 * Starts the span of a call, if spans are exported and its trace is recorded.
 *
 * @param root0 - What belongs together for it.
 * @returns Headers to send, and how to end the span.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` for settings or a parent
 * that
 * can't be read.
 */
export function traceCall({ name, settings, logger }: TracedCall): CallTrace {
  const { gzip } = platform();
  const given = gzip ? traceSettings() : null;
  const headers = callersHeaders(settings);
  const untouched = { headers, end: () => undefined };
  if (!gzip || !given) return untouched;
  checkDuplicates(settings.extraHeaders);
  const parent = parentOf(headers);
  if (parent && !isSampled(parent)) return untouched;
  if (exporter?.settings !== given) exporter = new SpanExporter(given, gzip);
  const target = exporter;
  const span = startSpan(name, parent);
  return {
    headers: {
      traceparent: traceparentOf(span),
      ...(span.state === '' ? {} : { tracestate: span.state }),
    },
    end: (ok) => {
      target.add(endSpan(span, ok), logger);
    },
  };
}

function callersHeaders({ traceContext, extraHeaders }: Settings): Headers {
  const headers: Headers = {};
  if (traceContext) {
    headers['traceparent'] = traceContext.traceparent;
    if (traceContext.tracestate !== null) headers['tracestate'] = traceContext.tracestate;
  }
  for (const [name, value] of Object.entries(extraHeaders)) {
    if (isTraceName(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return headers;
}

/**
 * @param name - As it is written.
 * @returns Whether a lower-case header name is one of tracing's.
 */
export function isTraceName(name: string): boolean {
  return TRACE_NAMES.some((one) => one === name);
}

function checkDuplicates(extraHeaders: Readonly<Record<string, string>>): void {
  const names = Object.keys(extraHeaders).map((name) => name.toLowerCase());
  for (const name of TRACE_NAMES) {
    if (names.filter((one) => one === name).length > 1) throw invalid(`duplicate ${name} headers`);
  }
}

function parentOf(headers: Headers): Parent | null {
  const { traceparent, tracestate = '' } = headers;
  if (traceparent === undefined) return null;
  const parent = parseTraceparent(traceparent, tracestate);
  if (!parent) throw invalid('invalid W3C traceparent');
  return parent;
}
