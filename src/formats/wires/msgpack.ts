import type { Wire } from '../wire.ts';
import { SLICE_BYTES, type Container, type Notation, type Sink } from './notation.ts';
import { serialize } from './slice-writer.ts';

const NIL = 0xc0;
const FALSE = 0xc2;
const TRUE = 0xc3;
const FLOAT32 = 0xca;
const FLOAT64 = 0xcb;
/** Heads of integers of 1 byte; those of 2, 4 and 8 bytes follow. */
const UNSIGNED = 0xcc;
const SIGNED = 0xd0;

const INTEGER_BYTES = [1, 2, 4, 8];

/** Bytes of a float32 with its head. */
const FLOAT32_STRIDE = 5;

/** The heads of a container. Source: the MessagePack specification, as the numbers above. */
interface Heads {
  /** Holds lengths below `fixedEnd` in itself. */
  readonly fixed: number;
  readonly fixedEnd: number;
  /** Before lengths of 1 byte; null: there is none. */
  readonly narrow: number | null;
  /** Before lengths of 2 bytes; the next one, before those of 4 bytes. */
  readonly wide: number;
}

const HEADS: Readonly<Record<Container, Heads>> = {
  list: { fixed: 0x90, fixedEnd: 16, narrow: null, wide: 0xdc },
  object: { fixed: 0x80, fixedEnd: 16, narrow: null, wide: 0xde },
  text: { fixed: 0xa0, fixedEnd: 32, narrow: 0xd9, wide: 0xda },
  bytes: { fixed: 0, fixedEnd: 0, narrow: 0xc4, wide: 0xc5 },
};

const notation: Notation = {
  dataEncoding: 'binary',
  betweenItems: null,
  afterKey: null,
  scalar: (value, sink) => {
    if (value === null) putByte(NIL, sink);
    else if (typeof value === 'boolean') putByte(value ? TRUE : FALSE, sink);
    else if (Number.isSafeInteger(value)) writeInteger(value, sink);
    else writeFloat64(value, sink);
  },
  text: (text, sink) => {
    if (text.length < HEADS.text.fixedEnd && writeShort(text, sink)) return '';
    writeHead('text', Buffer.byteLength(text), sink);
    return text;
  },
  begin: writeHead,
  end: () => undefined,
  floats: writeFloats,
};

/** MessagePack. A Float32Array is a list of float32, each of them 5 bytes, whatever its value; integers are integers. */
export const msgpack: Wire = {
  mediaTypes: ['application/msgpack', 'application/x-msgpack'],
  dataEncoding: notation.dataEncoding,
  serialize: (value) => serialize(value, notation),
};

function putByte(byte: number, sink: Sink): void {
  sink.bytes[sink.at++] = byte;
}

// High byte first; of a negative number, its two's complement.
function putInteger(value: number, count: number, sink: Sink): void {
  let rest = value;
  for (let at = sink.at + count - 1; at >= sink.at; at -= 1) {
    const above = Math.floor(rest / 256);
    sink.bytes[at] = rest - above * 256;
    rest = above;
  }
  sink.at += count;
}

function writeInteger(value: number, sink: Sink): void {
  if (value >= -32 && value < 128) {
    putInteger(value, 1, sink);
    return;
  }
  const place = INTEGER_BYTES.findIndex((count) =>
    value < 0 ? value >= -(256 ** count) / 2 : value < 256 ** count,
  );
  putByte((value < 0 ? SIGNED : UNSIGNED) + place, sink);
  putInteger(value, INTEGER_BYTES[place] ?? 0, sink);
}

function writeFloat64(value: number, sink: Sink): void {
  putByte(FLOAT64, sink);
  sink.at = sink.bytes.writeDoubleBE(value, sink.at);
}

function writeHead(container: Container, length: number, sink: Sink): void {
  const { fixed, fixedEnd, narrow, wide } = HEADS[container];
  if (length < fixedEnd) {
    putByte(fixed + length, sink);
  } else if (narrow !== null && length < 2 ** 8) {
    putByte(narrow, sink);
    putByte(length, sink);
  } else {
    const isShort = length < 2 ** 16;
    putByte(isShort ? wide : wide + 1, sink);
    putInteger(length, isShort ? 2 : 4, sink);
  }
}

// Writes a short text of ASCII, or nothing and returns false.
function writeShort(text: string, sink: Sink): boolean {
  const { bytes, at } = sink;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return false;
    bytes[at + 1 + index] = code;
  }
  bytes[at] = HEADS.text.fixed + text.length;
  sink.at += 1 + text.length;
  return true;
}

// DataView's setFloat32 was measured faster than any way to turn the bytes by hand.
function writeFloats(data: Float32Array, from: number, sink: Sink): number {
  const { bytes, view } = sink;
  const room = Math.ceil((SLICE_BYTES - sink.at) / FLOAT32_STRIDE);
  const end = Math.min(data.length, from + Math.max(0, room));
  let { at } = sink;
  for (let next = from; next < end; next += 1) {
    bytes[at] = FLOAT32;
    view.setFloat32(at + 1, data[next] ?? 0);
    at += FLOAT32_STRIDE;
  }
  sink.at = at;
  return end;
}
