/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { DECODERS } from '../../src/formats/decode.ts';
import { ENCODINGS, type EncodingName } from '../../src/formats/encodings/index.ts';
import { WIRES } from '../../src/formats/wires/index.ts';
import type { Float32Tensor } from '../../src/tensor.ts';
import { thrown } from '../support/thrown.ts';
import { bytesOf, WIRE_READERS, type WireReader } from '../support/wire-readers.ts';

const NAMES = Object.keys(ENCODINGS) as EncodingName[];
const READERS = Object.entries(WIRE_READERS);

/** Patterns where formats go wrong: both zeros, subnormals, the ends of the range, ties, short and long decimals. */
const BITS = Uint32Array.of(
  0x00000000,
  0x80000000,
  0x00000001,
  0x80000001,
  0x007fffff,
  0x00800000,
  0x7f7fffff,
  0xff7fffff,
  0x3f800000,
  0x3f7fffff,
  0x3f800001,
  0x3dcccccd,
  0x4b800000,
  0xcb7fffff,
  0x33d6bf95,
  0x0da24260,
);
const SPECIAL = new Float32Array(BITS.buffer);

/** Numbers of a model's size, none of them round. */
const PLAIN = Float32Array.from({ length: 384 * 3 }, (_, at) => Math.sin(at + 1) / 19.6);

const TENSORS: Readonly<Record<string, Float32Tensor>> = {
  'a vector': { shape: [384], data: PLAIN.subarray(0, 384) },
  'a vector in the middle of a buffer': { shape: [384], data: PLAIN.subarray(384, 768) },
  'a vector of one number': { shape: [1], data: PLAIN.subarray(7, 8) },
  'a vector of special numbers': { shape: [SPECIAL.length], data: SPECIAL },
  'a token matrix': { shape: [3, 384], data: PLAIN },
  'a token matrix in the middle of a buffer': { shape: [2, 384], data: PLAIN.subarray(384) },
  'a token matrix of special numbers': { shape: [4, 4], data: SPECIAL },
  'a token matrix of one row': { shape: [1, 5], data: PLAIN.subarray(3, 8) },
  'a token matrix of one column': { shape: [5, 1], data: PLAIN.subarray(3, 8) },
};

const EMPTY: Float32Tensor = { shape: [0, 0], data: new Float32Array(0) };

function bitsOf(data: Float32Array): Uint32Array {
  return new Uint32Array(data.slice().buffer);
}

function sent(encoding: EncodingName, { wire, read }: WireReader, tensor: Float32Tensor): unknown {
  return read(bytesOf(wire, ENCODINGS[encoding].encode(tensor, wire)));
}

test('every wire has a reader', () => {
  expect(new Set(READERS.map(([, { wire }]) => wire))).toEqual(new Set(WIRES));
});

describe.each(READERS)('what %s reads', (_reader, reader) => {
  const { wire } = reader;
  const isBinary = wire.dataEncoding === 'binary';

  describe.each(NAMES)('of %s', (encoding) => {
    test.each(Object.entries(TENSORS))('is %s, bit by bit', (_title, tensor) => {
      const decoded = DECODERS[encoding](sent(encoding, reader, tensor));
      expect(bitsOf(decoded.data)).toEqual(bitsOf(tensor.data));
      expect(decoded.shape).toEqual(tensor.shape);
    });

    test('is an empty matrix without a byte of data', () => {
      expect(DECODERS[encoding](sent(encoding, reader, EMPTY)).data).toHaveLength(0);
    });

    test.each([NaN, Infinity, -Infinity])('is never %d', (value) => {
      for (const place of [0, 3, 5]) {
        const data = new Float32Array(6).fill(0.5);
        data[place] = value;
        for (const shape of [[6], [2, 3]]) {
          const error = thrown(() => sent(encoding, reader, { shape, data }));
          expect(error).toMatchObject({ code: 'inference_failed' });
        }
      }
    });
  });

  test('of float is a list of numbers, and a list of rows', () => {
    expect(sent('float', reader, { shape: [2], data: Float32Array.of(0.5, -2) })).toEqual([
      0.5, -2,
    ]);
    const data = Float32Array.of(1, 2, 3, 4);
    expect(sent('float', reader, { shape: [2, 2], data })).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(sent('float', reader, EMPTY)).toEqual([]);
  });

  test('of base64 is a text, and a list of texts of exactly one row each', () => {
    const { data } = TENSORS['a token matrix'] ?? EMPTY;
    const expected = [0, 1, 2].map((row) =>
      Buffer.from(data.buffer, data.byteOffset + row * 1536, 1536).toString('base64'),
    );
    expect(sent('base64', reader, { shape: [384], data: data.subarray(0, 384) })).toBe(expected[0]);
    expect(sent('base64', reader, { shape: [3, 384], data })).toEqual(expected);
    expect(sent('base64', reader, EMPTY)).toEqual([]);
  });

  test('of tensor has the shape and exactly the bytes of that tensor', () => {
    const data = PLAIN.subarray(5, 11);
    const bytes = Buffer.from(data.buffer, data.byteOffset, 24);
    for (const shape of [[6], [2, 3], [3, 2]]) {
      const value = sent('tensor', reader, { shape, data });
      expect(value).toMatchObject({ shape, dtype: 'float32', data_encoding: wire.dataEncoding });
      const { data: got } = value as { data: Uint8Array | string };
      expect(typeof got === 'string' ? got : Buffer.from(got)).toEqual(
        isBinary ? bytes : bytes.toString('base64'),
      );
    }
    expect(sent('tensor', reader, EMPTY)).toMatchObject({ shape: [0, 0] });
  });
});

test('the encodings and wires agree bit by bit', () => {
  const tensor = { shape: [3, 384], data: PLAIN };
  const all = READERS.flatMap(([, reader]) =>
    NAMES.map((encoding) => bitsOf(DECODERS[encoding](sent(encoding, reader, tensor)).data)),
  );
  expect(all).toHaveLength(READERS.length * NAMES.length);
  for (const bits of all) expect(bits).toEqual(bitsOf(PLAIN));
});
