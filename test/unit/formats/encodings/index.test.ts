import { ENCODINGS, type EncodingName } from '../../../../src/formats/encodings/index.ts';
import { Float32Bytes, Float32Rows } from '../../../../src/formats/wire.ts';
import { WIRES } from '../../../../src/formats/wires/index.ts';

const NAMES = Object.keys(ENCODINGS) as EncodingName[];

const buffer = Float32Array.from([9, 1, 2, 3, 4, 9]);
const data = buffer.subarray(1, 5);

test.each(NAMES)('the encoding %s has its name', (name) => {
  expect(ENCODINGS[name].name).toBe(name);
});

describe.each(WIRES)('an encoding for a wire of $mediaTypes', (wire) => {
  test('float gives the numbers themselves, and the rows of a matrix', () => {
    expect(ENCODINGS.float.encode({ shape: [4], data }, wire)).toBe(data);
    const rows = ENCODINGS.float.encode({ shape: [2, 2], data }, wire) as Float32Rows;
    expect(rows).toBeInstanceOf(Float32Rows);
    expect([rows.at(0), rows.at(1)]).toEqual([data.subarray(0, 2), data.subarray(2)]);
  });

  test('base64 gives the bytes as text, of a matrix for each row', () => {
    expect(ENCODINGS.base64.encode({ shape: [4], data }, wire)).toEqual(
      new Float32Bytes(data, true),
    );
    const rows = ENCODINGS.base64.encode({ shape: [1, 4], data }, wire) as Float32Rows;
    expect(rows).toBeInstanceOf(Float32Rows);
    expect(rows.length).toBe(1);
    expect(rows.at(0)).toEqual(new Float32Bytes(data, true));
  });

  test.each([[[4]], [[2, 2]], [[0, 0]]])('tensor gives the shape %j and all bytes', (shape) => {
    expect(ENCODINGS.tensor.encode({ shape, data }, wire)).toEqual({
      shape,
      dtype: 'float32',
      data_encoding: wire.dataEncoding,
      data: new Float32Bytes(data, false),
    });
  });
});
