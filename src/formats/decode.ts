import type { Float32Tensor } from '../tensor.ts';
import { floatsOf } from './bytes.ts';
import type { EncodingName } from './encodings/index.ts';

/**
 * The inverse of each encoding: what a parsed answer holds, of whichever wire, becomes a tensor that owns
 * its numbers. A TypeError says what is wrong with anything else.
 */
export const DECODERS = {
  float: (value) => {
    const list = listOf(value, 'float');
    return list.some(Array.isArray)
      ? matrixOf(list.map((row) => vectorOf(row)))
      : tensorOf(vectorOf(list));
  },
  base64: (value) =>
    typeof value === 'string'
      ? tensorOf(floatsOf(base64Bytes(value)))
      : matrixOf(listOf(value, 'base64').map((row) => floatsOf(base64Bytes(row)))),
  tensor: (value) => {
    const { shape, dtype, data_encoding: dataEncoding, data } = fieldsOf(value);
    if (dtype !== 'float32') {
      throw new TypeError(`Cannot decode a tensor of dtype ${JSON.stringify(dtype)}: not float32`);
    }
    const numbers = floatsOf(dataEncoding === 'base64' ? base64Bytes(data) : rawBytes(data));
    return { shape: shapeOf(shape, numbers.length), data: numbers };
  },
} as const satisfies Readonly<Record<EncodingName, (value: unknown) => Float32Tensor>>;

function listOf(value: unknown, encoding: EncodingName): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new TypeError(`Cannot decode an embedding as ${encoding}: it is no list`);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new TypeError('Cannot decode an embedding as tensor: it is no object');
}

function vectorOf(row: unknown): Float32Array {
  const list = listOf(row, 'float');
  const vector = new Float32Array(list.length);
  for (const [index, value] of list.entries()) {
    if (typeof value !== 'number') {
      throw new TypeError(`Cannot decode an embedding as float: item ${index} is no number`);
    }
    vector[index] = value;
  }
  return vector;
}

// Without Buffer, so that browsers can run it too.
function base64Bytes(text: unknown): Uint8Array {
  if (typeof text !== 'string') {
    throw new TypeError('Cannot decode an embedding as base64: it is no text');
  }
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

function rawBytes(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  throw new TypeError('Cannot decode the data of a tensor: it is neither base64 nor bytes');
}

function shapeOf(shape: unknown, numbers: number): readonly number[] {
  if (
    Array.isArray(shape) &&
    shape.every((size) => Number.isInteger(size) && size >= 0) &&
    (shape as number[]).reduce((product, size) => product * size, 1) === numbers
  ) {
    return shape as number[];
  }
  throw new TypeError(`Cannot decode a tensor: its shape does not fit its ${numbers} numbers`);
}

function tensorOf(data: Float32Array): Float32Tensor {
  return { shape: [data.length], data };
}

function matrixOf(rows: readonly Float32Array[]): Float32Tensor {
  const columns = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== columns)) {
    throw new TypeError('Cannot decode a token matrix: its rows differ in length');
  }
  const data = new Float32Array(rows.length * columns);
  for (const [index, row] of rows.entries()) data.set(row, index * columns);
  return { shape: [rows.length, columns], data };
}
