import { requireFinite } from '../../../src/formats/finite.ts';
import { Float32Bytes, Float32Rows, type WireValue } from '../../../src/formats/wire.ts';
import { thrown } from '../../support/thrown.ts';

const MILLION = 2 ** 20;

function pauses(value: WireValue): number {
  const slices = [...requireFinite(value)];
  for (const slice of slices) expect(slice).toHaveLength(0);
  return slices.length;
}

function withNumber(length: number, place: number, value: number): Float32Array {
  const data = new Float32Array(length);
  data[place] = value;
  return data;
}

describe('requireFinite()', () => {
  test.each([NaN, Infinity, -Infinity])('finds %d at any place', (value) => {
    for (const length of [1, 2, 3, 4, 5, 9]) {
      for (let place = 0; place < length; place += 1) {
        const error = thrown(() => pauses(withNumber(length, place, value)));
        expect(error).toMatchObject({ code: 'inference_failed' });
      }
    }
  });

  test('finds it in any value that holds numbers', () => {
    const data = withNumber(6, 5, NaN);
    const values: readonly WireValue[] = [
      { data: [{ embedding: data }] },
      [[1, 'a', null], [new Float32Bytes(data, true)]],
      { data: new Float32Bytes(data, false) },
      new Float32Rows({ shape: [2, 3], data }, () => null),
    ];
    for (const value of values) {
      expect(thrown(() => pauses(value))).toMatchObject({ code: 'inference_failed' });
    }
  });

  test.each([
    new Float32Array(0),
    Float32Array.of(-0, 0, 1e-45, -3.4028234663852886e38, 3.4028234663852886e38),
  ])('passes %j', (data) => {
    expect(pauses(data)).toBe(0);
  });

  test.each<WireValue>([null, true, 12, 'text', [], {}, [null, ['x']], { a: 1 }])(
    'passes %j',
    (value) => {
      expect(pauses(value)).toBe(0);
    },
  );

  test('pauses after each million numbers', () => {
    expect(pauses(new Float32Array(MILLION - 1))).toBe(0);
    expect(pauses(new Float32Array(MILLION))).toBe(1);
    expect(pauses(new Float32Array(3 * MILLION))).toBe(3);
    expect(pauses([new Float32Array(MILLION / 2), new Float32Array(MILLION / 2)])).toBe(1);
    const error = thrown(() => pauses(withNumber(2 * MILLION, MILLION, NaN)));
    expect(error).toMatchObject({ code: 'inference_failed' });
  });

  test('pauses on very many small items', () => {
    expect(pauses(Array.from({ length: 30_000 }, () => ({ index: 1 })))).toBeGreaterThan(0);
  });
});
