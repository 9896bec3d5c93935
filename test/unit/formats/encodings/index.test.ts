import fc from 'fast-check';
import { DECODERS } from '../../../../src/formats/decode.ts';
import { ENCODINGS, type EncodingName } from '../../../../src/formats/encodings/index.ts';
import { WIRES } from '../../../../src/formats/wires/index.ts';
import type { Float32Tensor } from '../../../../src/tensor.ts';
import { thrown } from '../../../support/thrown.ts';

const NAMES = Object.keys(ENCODINGS) as EncodingName[];

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
const tensors: fc.Arbitrary<Float32Tensor> = fc.oneof(
  fc.array(finite, { maxLength: 20 }).map((data) => ({
    shape: [data.length],
    data: Float32Array.from(data),
  })),
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.array(finite, { minLength: rows * columns, maxLength: rows * columns }).map((data) => ({
        shape: [rows, columns],
        data: Float32Array.from(data),
      })),
    ),
  fc.constant({ shape: [0, 0], data: new Float32Array(0) }),
);

function sent(name: EncodingName, tensor: Float32Tensor): unknown {
  const [json] = WIRES;
  const text = Buffer.concat([...json.serialize(ENCODINGS[name].encode(tensor, json))]).toString();
  return JSON.parse(text) as unknown;
}

describe.each(NAMES)('the encoding %s', (name) => {
  test('has its name', () => {
    expect(ENCODINGS[name].name).toBe(name);
  });

  test('is undone by its decoder, bit by bit', () => {
    fc.assert(
      fc.property(tensors, (tensor) => {
        const decoded = DECODERS[name](sent(name, tensor));
        expect(decoded.data).toEqual(tensor.data);
        // Lists of numbers can't tell an empty matrix from an empty vector.
        if (tensor.data.length > 0) expect(decoded.shape).toEqual(tensor.shape);
      }),
      { plugins: [fc.interruptAfterTimeLimit(5_000)] },
    );
  });

  test('takes just its own view of a larger buffer', () => {
    const buffer = Float32Array.from([9, 1, 2, 3, 4, 9]);
    const vector = { shape: [4], data: buffer.subarray(1, 5) };
    expect(DECODERS[name](sent(name, vector)).data).toEqual(new Float32Array([1, 2, 3, 4]));
    const matrix = { shape: [2, 2], data: buffer.subarray(1, 5) };
    expect(sent(name, matrix)).toHaveLength(2);
  });

  test.each([NaN, Infinity, -Infinity])('refuses %d anywhere', (value) => {
    const data = new Float32Array([1, 2, 3, value]);
    for (const shape of [[4], [2, 2]]) {
      expect(thrown(() => sent(name, { shape, data }))).toMatchObject({ code: 'inference_failed' });
    }
  });
});

describe('DECODERS', () => {
  test.each<[EncodingName, unknown]>([
    ['float', 'text'],
    ['float', [1, 'x']],
    ['float', [[1], 2]],
    ['float', [[1], [1, 2]]],
    ['base64', 5],
    ['base64', [5]],
    ['base64', 'AAA='],
    ['base64', '*'],
  ])('%s refuses %j', (name, value) => {
    expect(() => DECODERS[name](value)).toThrow();
  });
});
