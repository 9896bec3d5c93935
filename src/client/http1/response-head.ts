import type { Headers } from '../transport.ts';

/** Longest head of an answer, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** How the end of a body is known. */
export type BodyFraming =
  { readonly kind: 'length'; readonly length: number } | { readonly kind: 'chunked' | 'close' };

/** The head of an HTTP/1.x answer. */
export interface Http1Head {
  readonly status: number;
  readonly headers: Headers;
  readonly framing: BodyFraming;
  /** Whether the connection may be used again after this answer. */
  readonly keepAlive: boolean;
}

// eslint-disable-next-line no-control-regex -- a reason phrase must not have them
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\0-\x08\x0a-\x1f\x7f]*)?$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex -- a header value must not have them
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;
const NO_BODY: BodyFraming = { kind: 'length', length: 0 };

/**
 * Reads a head: the text up to, without, the empty line.
 *
 * @param text - Characters to read.
 * @param method - Of the request.
 * @returns What the lines say.
 * @throws Error if a rule of RFC 9112 is broken in a way that makes the framing doubtful.
 */
export function parseHead(text: string, method: string): Http1Head {
  const lines = text.split('\r\n');
  const match = STATUS_LINE.exec(lines[0] ?? '');
  if (!match) throw new Error('bad status line');
  const status = Number(match[2]);
  const headers: Headers = {};
  for (let i = 1; i < lines.length; i++) addField(headers, lines[i] ?? '');
  const framing = framingOf(status, headers, method);
  const connection = headers['connection']?.toLowerCase() ?? '';
  const keepAlive =
    framing.kind !== 'close' &&
    (match[1] === '1' ? !hasOption(connection, 'close') : hasOption(connection, 'keep-alive'));
  return { status, headers, framing, keepAlive };
}

function addField(headers: Headers, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!TOKEN.test(name)) throw new Error('bad header line');
  const value = line.slice(colon + 1).trim();
  if (CONTROL.test(value)) throw new Error('bad header value');
  if (name === 'content-length' && (headers[name] ?? value) !== value) {
    throw new Error('two content-length headers');
  }
  headers[name] = value;
}

function framingOf(status: number, headers: Headers, method: string): BodyFraming {
  const encoding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (encoding !== undefined && length !== undefined) {
    throw new Error('both content-length and transfer-encoding');
  }
  if (method === 'HEAD' || isBodiless(status)) return NO_BODY;
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked') throw new Error('unknown transfer-encoding');
    return { kind: 'chunked' };
  }
  if (length === undefined) return { kind: 'close' };
  if (!/^\d{1,15}$/.test(length)) throw new Error('bad content-length');
  return { kind: 'length', length: Number(length) };
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || status < 200;
}

function hasOption(connection: string, option: string): boolean {
  return connection === option || connection.split(',').some((part) => part.trim() === option);
}
