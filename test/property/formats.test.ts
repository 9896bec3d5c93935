/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import fc from 'fast-check';
import { DECODERS } from '../../src/formats/decode.ts';
import { ENCODINGS, type EncodingName } from '../../src/formats/encodings/index.ts';
import { negotiate } from '../../src/formats/negotiate.ts';
import type { WireValue } from '../../src/formats/wire.ts';
import { WIRES } from '../../src/formats/wires/index.ts';
import type { Float32Tensor } from '../../src/tensor.ts';
import { bytesOf, WIRE_READERS } from '../support/wire-readers.ts';

const NAMES = Object.keys(ENCODINGS) as EncodingName[];
const READERS = Object.entries(WIRE_READERS);

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });

/** Tensors that are a part of a larger buffer. */
const tensors: fc.Arbitrary<Float32Tensor> = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.nat(3))
  .chain(([rows, columns, isMatrix, before]) =>
    fc
      .array(finite, { minLength: rows * columns + 3, maxLength: rows * columns + 3 })
      .map((numbers) => ({
        shape: isMatrix ? [rows, columns] : [rows * columns],
        data: Float32Array.from(numbers).subarray(before, before + rows * columns),
      })),
  );

const limit = { plugins: [fc.interruptAfterTimeLimit(4_000)] };

describe.each(READERS)('what %s reads', (_reader, { wire, read }) => {
  test.each(NAMES)('is undone by the decoder of %s, bit by bit', (name) => {
    fc.assert(
      fc.property(tensors, (tensor) => {
        const decoded = DECODERS[name](read(bytesOf(wire, ENCODINGS[name].encode(tensor, wire))));
        expect(decoded.data).toEqual(tensor.data.slice());
        expect(decoded.shape).toEqual(tensor.shape);
      }),
      limit,
    );
  });

  test('is any JSON as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as WireValue;
        expect(read(bytesOf(wire, plain))).toEqual(plain);
      }),
      limit,
    );
  });

  test('is any integer as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (value) => {
        expect(read(bytesOf(wire, value))).toEqual(value);
      }),
      limit,
    );
  });
});

test('any Accept header gives one of the wires, and a media type of it', () => {
  const parts = fc.constantFrom(
    ...['application/json', 'application/msgpack', 'application/x-msgpack', '*/*', 'application/*'],
    ...[';', ',', 'q=', '0', '1', '0.5', '.', ' ', '"', 'text/html'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ maxLength: 3 }))), (list) => {
      const { wire, mediaType } = negotiate(list.join(''));
      expect(WIRES).toContain(wire);
      expect(wire.mediaTypes).toContain(mediaType);
    }),
    limit,
  );
});
