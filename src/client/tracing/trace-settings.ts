import { readEnv } from '../env.ts';
import { invalid, type PerformanceClientError } from '../errors.ts';
import { isHeaderValue } from '../request-headers.ts';
import type { Headers } from '../transport.ts';

/** Variable with the URL of the collector. */
export const ENDPOINT_VARIABLE = 'BASETEN_PERFORMANCE_CLIENT_OTLP_ENDPOINT';

/** Variable with the headers for the collector. */
export const HEADERS_VARIABLE = 'BASETEN_PERFORMANCE_CLIENT_OTLP_HEADERS';

const TRACES_PATH = '/v1/traces';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Where spans are exported to. */
export interface TraceSettings {
  readonly endpoint: string;
  readonly headers: Headers;
}

type Read =
  { readonly settings: TraceSettings | null } | { readonly error: PerformanceClientError };

let read: Read | null = null;

/**
 * The export settings, read from the environment at the first call of the process.
 *
 * @returns `null` if nothing is exported.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter`, at every call, if they are
 * invalid.
 */
export function traceSettings(): TraceSettings | null {
  read ??= readSettings();
  if ('error' in read) throw invalid(read.error.message);
  return read.settings;
}

/** Makes the next call read the environment again; for tests. */
export function forgetTraceSettings(): void {
  read = null;
}

function readSettings(): Read {
  try {
    return { settings: settingsOf(readEnv(ENDPOINT_VARIABLE), readEnv(HEADERS_VARIABLE)) };
  } catch (error) {
    return { error: error as PerformanceClientError };
  }
}

function settingsOf(endpoint = '', headers = ''): TraceSettings | null {
  const text = endpoint.trim();
  if (text === '') return null;
  if (!URL.canParse(text)) throw invalid(`invalid ${ENDPOINT_VARIABLE}`);
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) {
    throw invalid(`${ENDPOINT_VARIABLE} must be an HTTP(S) URL`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(TRACES_PATH) ? path : `${path}${TRACES_PATH}`;
  return { endpoint: url.href, headers: headersOf(headers) };
}

function headersOf(text: string): Headers {
  const headers: Headers = {};
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    if (at < 0) throw invalid(`invalid ${HEADERS_VARIABLE}`);
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (!TOKEN.test(name)) throw invalid(`invalid ${HEADERS_VARIABLE} name`);
    if (!isHeaderValue(value)) throw invalid(`invalid ${HEADERS_VARIABLE} value`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
