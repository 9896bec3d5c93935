import { writeFloat32 } from '../float32-text.ts';
import type { Wire } from '../wire.ts';
import { SLICE_BYTES, type Container, type Notation, type Sink } from './notation.ts';
import { serialize } from './slice-writer.ts';

/** Texts up to this length are tried character by character, which is faster than to escape them. */
const SHORT_CHARACTERS = 40;

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DELETE = 0x7f;

/** What stands at the two ends. */
const MARKS: Readonly<Record<Container, readonly [number, number]>> = {
  list: [0x5b, 0x5d],
  object: [0x7b, 0x7d],
  text: [QUOTE, QUOTE],
  bytes: [QUOTE, QUOTE],
};

const notation: Notation = {
  dataEncoding: 'base64',
  betweenItems: COMMA,
  afterKey: COLON,
  scalar: (value, sink) => {
    sink.at += sink.bytes.write(String(value), sink.at, 'latin1');
  },
  text: (text, sink) =>
    text.length <= SHORT_CHARACTERS && writePlain(text, sink) ? '' : JSON.stringify(text),
  begin: (container, _length, sink) => {
    [sink.bytes[sink.at++]] = MARKS[container];
  },
  end: (container, sink) => {
    [, sink.bytes[sink.at++]] = MARKS[container];
  },
  floats: writeFloats,
};

/** JSON. Numbers of a Float32Array are the shortest decimals that read back to the same float32. */
export const json: Wire = {
  mediaTypes: ['application/json'],
  dataEncoding: notation.dataEncoding,
  serialize: (value) => serialize(value, notation),
};

// Writes a text of ASCII that needs no escape, or nothing and returns false.
function writePlain(text: string, sink: Sink): boolean {
  const { bytes } = sink;
  let at = sink.at;
  bytes[at++] = QUOTE;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code >= DELETE || code === QUOTE || code === BACKSLASH) return false;
    bytes[at++] = code;
  }
  bytes[at++] = QUOTE;
  sink.at = at;
  return true;
}

function writeFloats(data: Float32Array, from: number, sink: Sink): number {
  const { bytes } = sink;
  let at = sink.at;
  let next = from;
  while (next < data.length && at < SLICE_BYTES) {
    if (next > 0) bytes[at++] = COMMA;
    at = writeFloat32(data[next++] ?? 0, bytes, at);
  }
  sink.at = at;
  return next;
}
