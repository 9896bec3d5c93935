/** Float32 numbers that are packed as such, each with its tag. */
export interface FloatRow {
  readonly head: 'array16' | 'array32';
  readonly length: number;
  readonly elements: Uint8Array;
}

/** A row of float32 for {@link pack}. */
export function floatRow(numbers: readonly number[], head: FloatRow['head'] = 'array16'): FloatRow {
  const elements = Buffer.alloc(numbers.length * 5);
  numbers.forEach((number, i) => {
    elements[i * 5] = 0xca;
    elements.writeFloatBE(number, i * 5 + 1);
  });
  return { head, length: numbers.length, elements };
}

/** Bytes that are put in as they are. */
export class Raw {
  readonly bytes: Uint8Array;

  constructor(...bytes: number[]) {
    this.bytes = Uint8Array.from(bytes);
  }
}

/** Packs a value as MessagePack, by the book and slowly: numbers that aren't whole as float64. */
export function pack(value: unknown): Buffer {
  if (value === null) return Buffer.of(0xc0);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === 'number') return packNumber(value);
  if (typeof value === 'string') return packText(value);
  if (value instanceof Raw) return Buffer.from(value.bytes);
  if (value instanceof Uint8Array) return Buffer.concat([sized(0xc5, value.length), value]);
  if (Array.isArray(value)) {
    return Buffer.concat([sized(0xdc, value.length), ...value.map((item) => pack(item))]);
  }
  if (isFloatRow(value)) return packRow(value);
  const entries = Object.entries(value as object).flatMap(([key, item]) => [pack(key), pack(item)]);
  return Buffer.concat([sized(0xde, entries.length / 2), ...entries]);
}

function isFloatRow(value: unknown): value is FloatRow {
  return typeof value === 'object' && value !== null && 'elements' in value;
}

function packRow({ head, length, elements }: FloatRow): Buffer {
  const start = head === 'array16' ? sized(0xdc, length) : Buffer.of(0xdd, 0, 0, 0, 0);
  if (head === 'array32') start.writeUInt32BE(length, 1);
  return Buffer.concat([start, elements]);
}

function packNumber(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    if (value < 128) return Buffer.of(value);
    const bytes = Buffer.of(0xce, 0, 0, 0, 0);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xcb;
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function packText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = bytes.length < 32 ? Buffer.of(0xa0 | bytes.length) : sized(0xda, bytes.length);
  return Buffer.concat([head, bytes]);
}

/** A tag and a length of 16 bits. */
function sized(tag: number, length: number): Buffer {
  const head = Buffer.of(tag, 0, 0);
  head.writeUInt16BE(length, 1);
  return head;
}
