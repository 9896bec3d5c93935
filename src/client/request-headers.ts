import { invalid } from './errors.ts';
import type { Settings } from './settings.ts';
import type { Headers } from './transport.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TRACE_NAMES = ['traceparent', 'tracestate'] as const;

/** The transport sets these by what it does. */
const NOT_SETTABLE = new Set(['content-length', 'transfer-encoding', 'connection']);

/**
 * @param text - Characters to read.
 * @returns Whether a text can be a header's value.
 */
export function isHeaderValue(text: unknown): text is string {
  return typeof text === 'string' && VALUE.test(text);
}

/**
 * Checks the API key, the trace context and the extra headers of a call, in this order.
 *
 * @param settings - Checked preferences.
 * @param apiKey - Key that requests would carry.
 * @returns the extra headers with names in lower case; of two spellings the last counts.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` for the first fault.
 */
export function checkHeaders(settings: Settings, apiKey: string): Headers {
  if (apiKey === '') throw invalid('API key cannot be empty');
  checkTrace(settings);
  const extra: Headers = {};
  for (const [name, value] of Object.entries(settings.extraHeaders)) {
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) throw invalid(`invalid header name '${name}'`);
    if (!isHeaderValue(value)) throw invalid(`invalid header value for '${name}'`);
    if (NOT_SETTABLE.has(lower)) throw invalid(`header '${name}' cannot be set`);
    extra[lower] = value;
  }
  if (!isHeaderValue(apiKey)) throw invalid("invalid header value for 'authorization'");
  return extra;
}

function checkTrace({ traceContext, extraHeaders }: Settings): void {
  if (!traceContext) return;
  const names = Object.keys(extraHeaders).map((name) => name.toLowerCase());
  if (TRACE_NAMES.some((name) => names.includes(name))) {
    throw invalid('trace_context cannot be combined with trace headers in extra_headers');
  }
  for (const name of TRACE_NAMES) {
    const value = traceContext[name];
    const absent = name === 'tracestate' && value === null;
    if (!absent && (!isHeaderValue(value) || value === '')) throw invalid(`invalid ${name} header`);
  }
}
