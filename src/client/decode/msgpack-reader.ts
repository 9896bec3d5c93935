import { decodeUtf8 } from './utf8.ts';
import { readFloatArray, readFloatNumbers } from './msgpack-floats.ts';

/** A MessagePack extension value. */
export interface ExtensionValue {
  readonly type: number;
  readonly data: Uint8Array;
}

/** How arrays of float32 become values: `number[]`, or `Float32Array` with no `number[]` between. */
export type FloatMode = 'array' | 'float32';

/** Deepest nesting of arrays and maps. */
export const MAX_DEPTH = 128;

const MAX_ASCII_BYTES = 24;

/**
 * Reads the first MessagePack value of `bytes`; what follows is ignored.
 *
 * `bin` becomes a `Uint8Array` (a view), integers beyond 2^53 a `bigint`, text that isn't UTF-8 a
 * `Uint8Array`, an extension an {@link ExtensionValue}; keys become text.
 *
 * @param bytes - Bytes to read; a view is enough.
 * @param floats - What a vector becomes.
 * @returns Plain objects, arrays and primitives.
 * @throws Error if the bytes end early, nest too deep or aren't MessagePack.
 */
export function readMsgpack(bytes: Uint8Array, floats: FloatMode = 'array'): unknown {
  return new MsgpackReader(bytes, floats).read(0);
}

class MsgpackReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #floats: FloatMode;
  #at = 0;
  /** One buffer for the float rows of the whole value; made when the first row comes. */
  #pool: Float32Array | null = null;
  #poolUsed = 0;

  constructor(bytes: Uint8Array, floats: FloatMode) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#floats = floats;
  }

  read(depth: number): unknown {
    const tag = this.#uint(1);
    if (tag < 0x80) return tag;
    if (tag >= 0xe0) return tag - 0x100;
    if (tag < 0x90) return this.#map(tag & 0x0f, depth);
    if (tag < 0xa0) return this.#array(tag & 0x0f, depth);
    if (tag < 0xc0) return this.#text(tag & 0x1f);
    return this.#tagged(tag, depth);
  }

  #tagged(tag: number, depth: number): unknown {
    if (tag >= 0xca && tag <= 0xd3) return this.#number(tag);
    if (tag >= 0xd9) return this.#sized(tag, depth);
    if (tag >= 0xd4) return this.#extension(1 << (tag - 0xd4));
    if (tag >= 0xc7) return this.#extension(this.#uint(1 << (tag - 0xc7)));
    if (tag >= 0xc4) return this.#take(this.#uint(1 << (tag - 0xc4)));
    if (tag === 0xc1) throw new Error('0xc1 is not a MessagePack type');
    return tag === 0xc0 ? null : tag === 0xc3;
  }

  // str8 to map32.
  #sized(tag: number, depth: number): unknown {
    switch (tag) {
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#uint(1 << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#uint(2 << (tag - 0xdc)), depth);
      default:
        return this.#map(this.#uint(2 << (tag - 0xde)), depth);
    }
  }

  // float32 to int64.
  #number(tag: number): number | bigint {
    const at = this.#at;
    if (tag === 0xca) {
      this.#skip(4);
      return this.#view.getFloat32(at);
    }
    if (tag === 0xcb) {
      this.#skip(8);
      return this.#view.getFloat64(at);
    }
    if (tag === 0xcf || tag === 0xd3) return this.#integer64(tag === 0xd3);
    if (tag <= 0xce) return this.#uint(1 << (tag - 0xcc));
    const size = 1 << (tag - 0xd0);
    const value = this.#uint(size);
    const range = 2 ** (8 * size);
    return value >= range / 2 ? value - range : value;
  }

  #integer64(signed: boolean): number | bigint {
    const at = this.#at;
    this.#skip(8);
    const value = signed ? this.#view.getBigInt64(at) : this.#view.getBigUint64(at);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  #uint(size: number): number {
    const at = this.#at;
    this.#skip(size);
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) throw new Error('unexpected end of data');
    this.#at += length;
  }

  #take(length: number): Uint8Array {
    const at = this.#at;
    this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  #text(length: number): string | Uint8Array {
    const at = this.#at;
    this.#skip(length);
    if (length <= MAX_ASCII_BYTES) {
      const ascii = this.#ascii(at, length);
      if (ascii !== null) return ascii;
    }
    const bytes = this.#bytes.subarray(at, at + length);
    try {
      return decodeUtf8(bytes);
    } catch {
      return bytes;
    }
  }

  #ascii(at: number, length: number): string | null {
    let text = '';
    for (let i = at; i < at + length; i++) {
      const byte = this.#bytes[i] ?? 0;
      if (byte > 0x7f) return null;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #extension(length: number): ExtensionValue {
    this.#skip(1);
    const type = this.#view.getInt8(this.#at - 1);
    return { type, data: this.#take(length) };
  }

  #array(length: number, depth: number): unknown {
    this.#enter(length, depth);
    const floats = this.#bytes[this.#at] === 0xca ? this.#floatRow(length) : null;
    if (floats) return floats;
    const items: unknown[] = [];
    for (let i = 0; i < length; i++) items.push(this.read(depth + 1));
    return items;
  }

  // The fast path: an array of float32 alone, 5 bytes each; `null` if it isn't one.
  #floatRow(length: number): number[] | Float32Array | null {
    if (length * 5 > this.#bytes.length - this.#at) return null;
    const source = { bytes: this.#bytes, view: this.#view, at: this.#at };
    const row =
      this.#floats === 'array'
        ? readFloatNumbers(source, length)
        : readFloatArray(source, this.#poolRow(length));
    if (row) this.#at += length * 5;
    return row;
  }

  #poolRow(length: number): Float32Array {
    this.#pool ??= new Float32Array(Math.floor((this.#bytes.length - this.#at) / 5));
    if (this.#poolUsed + length > this.#pool.length) return new Float32Array(length);
    const start = this.#poolUsed;
    this.#poolUsed += length;
    return this.#pool.subarray(start, start + length);
  }

  #map(length: number, depth: number): Record<string, unknown> {
    this.#enter(length * 2, depth);
    const map: Record<string, unknown> = {};
    for (let i = 0; i < length; i++) {
      const key = keyOf(this.read(depth + 1));
      const value = this.read(depth + 1);
      if (key === '__proto__') {
        Object.defineProperty(map, key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else map[key] = value;
    }
    return map;
  }

  // Every member takes a byte at least: a length that lies is refused before anything is made.
  #enter(members: number, depth: number): void {
    if (depth >= MAX_DEPTH) throw new Error(`nested deeper than ${MAX_DEPTH}`);
    if (members > this.#bytes.length - this.#at) throw new Error('unexpected end of data');
  }
}

function keyOf(key: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  if (key instanceof Uint8Array) return decodeUtf8(key);
  throw new Error('a map key must be text or a number');
}
