import { VERSION } from '../version.ts';
import type { EndedSpan } from './span.ts';

/** Bits of OTLP's `flags` beyond W3C's: whether the parent is remote is known; it is remote. */
const HAS_REMOTE_BIT = 0x100;
const IS_REMOTE_BIT = 0x200;
const KIND_CLIENT = 3;
const OK = { message: '', code: 1 };
const FAILED = { message: 'call failed or was cancelled', code: 2 };
const NS_PER_MS = 1_000_000;

/**
 * @param spans - At most so many as one export takes.
 * @returns The body of an OTLP/HTTP JSON export.
 */
export function otlpBody(spans: readonly EndedSpan[]): object {
  const service = { key: 'service.name', value: { stringValue: 'tensorgate-client' } };
  const resource = { attributes: [service], droppedAttributesCount: 0, entityRefs: [] };
  const scope = {
    name: 'tensorgate_client',
    version: VERSION,
    attributes: [],
    droppedAttributesCount: 0,
  };
  const scopeSpans = [{ scope, spans: spans.map(otlpSpan), schemaUrl: '' }];
  return { resourceSpans: [{ resource, scopeSpans, schemaUrl: '' }] };
}

function otlpSpan(span: EndedSpan): object {
  const remote = span.parentSpanId === '' ? 0 : IS_REMOTE_BIT;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    traceState: span.state,
    parentSpanId: span.parentSpanId,
    flags: span.flags | HAS_REMOTE_BIT | remote,
    name: span.name,
    kind: KIND_CLIENT,
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: [],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    status: span.ok ? OK : FAILED,
  };
}

function nanoseconds(epochMs: number): string {
  const whole = Math.floor(epochMs);
  const part = Math.round((epochMs - whole) * NS_PER_MS);
  return String(BigInt(whole) * BigInt(NS_PER_MS) + BigInt(part));
}
