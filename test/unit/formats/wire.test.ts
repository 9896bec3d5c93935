import { Float32Bytes, Float32Rows } from '../../../src/formats/wire.ts';

const numbers = Float32Array.from([9, 1, 2, 3, 4, 5, 6, 9]);

describe('Float32Rows', () => {
  test('makes the value of a row from a view of it', () => {
    const rows = new Float32Rows({ shape: [2, 3], data: numbers.subarray(1, 7) }, (row) => row);
    expect(rows.length).toBe(2);
    expect(rows.at(0)).toEqual(new Float32Array([1, 2, 3]));
    expect(rows.at(1)).toEqual(new Float32Array([4, 5, 6]));
    expect((rows.at(1) as Float32Array).buffer).toBe(numbers.buffer);
  });

  test('may have no rows, or rows without numbers', () => {
    const none = new Float32Array(0);
    expect(new Float32Rows({ shape: [0, 0], data: none }, (row) => row).length).toBe(0);
    const empty = new Float32Rows({ shape: [2, 0], data: none }, (row) => row);
    expect(empty.length).toBe(2);
    expect(empty.at(1)).toEqual(none);
  });
});

test('Float32Bytes view their numbers', () => {
  const view = numbers.subarray(1, 3);
  expect(new Float32Bytes(view, true)).toMatchObject({ data: view, isText: true });
});
