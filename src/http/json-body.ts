import { isUtf8 } from 'node:buffer';
import { ServeError } from '../errors.ts';
import { MAX_JSON_DEPTH } from '../limits/constants.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const BOM = [0xef, 0xbb, 0xbf];

/**
 * Reads a body as a JSON object.
 *
 * @param bytes - The decoded body; a byte order mark is skipped.
 * @returns The object; of a key that comes twice, the last value.
 * @throws {@link ServeError} `invalid_json`: not UTF-8, not JSON, no object, or too deep.
 */
export function parseJsonBody(bytes: Buffer): object {
  const start = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  if (bytes.length === start) throw invalid('it is empty, and must be a JSON object');
  if (!isUtf8(bytes)) throw invalid('it is not valid UTF-8');
  // Before it's parsed: a body of brackets alone would become a hundred times its size.
  if (isDeeper(bytes, MAX_JSON_DEPTH)) {
    throw invalid(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  const value = parse(bytes.toString('utf8', start));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('it is JSON, but must be an object');
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // The engine's message quotes the text, which belongs in no log.
    const [, position] = /at position (\d+)/.exec(String(cause)) ?? [];
    const place = position === undefined ? '' : ` (character ${position})`;
    throw invalid(`it is not valid JSON${place}`);
  }
}

function invalid(reason: string): ServeError {
  return new ServeError('invalid_json', `Cannot read the request body: ${reason}`);
}

// Whether brackets outside of strings are ever open more than `limit` deep.
function isDeeper(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

// The index of the closing quote, or behind the end.
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
