import fc from 'fast-check';
import type { WireValue } from '../../../../src/formats/wire.ts';
import { json } from '../../../../src/formats/wires/json.ts';
import { thrown } from '../../../support/thrown.ts';

function text(value: WireValue): string {
  return Buffer.concat([...json.serialize(value)]).toString('utf8');
}

describe('the JSON wire', () => {
  test.each<[WireValue, string]>([
    [null, 'null'],
    [true, 'true'],
    [12.5, '12.5'],
    [1e21, '1e+21'],
    ['', '""'],
    ['a"\\\n\u007f\u00e4\ud83d\ude00', '"a\\"\\\\\\n\u007f\u00e4\ud83d\ude00"'],
    [[], '[]'],
    [{}, '{}'],
    [new Float32Array(0), '[]'],
    [Float32Array.from([0.1, -2]), '[0.1,-2]'],
    [Uint8Array.from([1, 2, 3]), '"AQID"'],
    [[1, [2], { a: [], 'b"': null }], '[1,[2],{"a":[],"b\\"":null}]'],
  ])('writes %j', (value, expected) => {
    expect(text(value)).toBe(expected);
  });

  test('carries bytes as base64', () => {
    expect(json.bytes(new Uint8Array([1, 2, 3]))).toBe('AQID');
    expect(json.dataEncoding).toBe('base64');
  });

  test('agrees with JSON.stringify on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(text(value as WireValue))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { plugins: [fc.interruptAfterTimeLimit(5_000)] },
    );
  });

  test('gives a small value as one slice', () => {
    expect([...json.serialize({ a: new Float32Array(384).fill(0.123) })]).toHaveLength(1);
  });

  test('gives a large value in slices that stay as they are', () => {
    const rows = Array.from({ length: 60 }, (_, row) =>
      Float32Array.from({ length: 384 }, (_, column) => Math.sin(row * column)),
    );
    const slices = [...json.serialize(rows)];
    expect(slices.length).toBeGreaterThan(3);
    expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThanOrEqual(65_536);
    const parsed = JSON.parse(Buffer.concat(slices).toString()) as number[][];
    expect(parsed.map((row) => Float32Array.from(row))).toEqual(rows);
  });

  test('writes several values in turn', () => {
    const values = ['a', 'b'].map((letter) => Array<string>(3_000).fill(letter.repeat(50)));
    const writers = values.map((value) => json.serialize(value)[Symbol.iterator]());
    const parts = values.map((): Uint8Array[] => []);
    for (let open = true; open;) {
      open = false;
      for (const [index, writer] of writers.entries()) {
        const { value, done } = writer.next() as IteratorResult<Uint8Array, undefined>;
        if (done === true) continue;
        parts[index]?.push(value);
        open = true;
      }
    }
    expect(parts.map((part) => JSON.parse(Buffer.concat(part).toString()) as unknown)).toEqual(
      values,
    );
  });

  test.each([
    ['one-byte', 'x'],
    ['escaped', '"\n'],
    ['two-byte', '\u00e4'],
    ['three-byte', '\u20ac'],
    ['paired', '\ud83d\ude00'],
    ['paired at odd places', 'a\ud83d\ude00'],
  ])('writes long %s texts', (_name, unit) => {
    for (const length of [8_180, 8_192, 100_000]) {
      const long = unit.repeat(Math.ceil(length / unit.length));
      expect(JSON.parse(text([long, { k: long }]))).toEqual([long, { k: long }]);
    }
  });

  test('refuses numbers that JSON lacks', () => {
    expect(() => text([1, NaN])).toThrow(TypeError);
    expect(thrown(() => text(Float32Array.from([1, Infinity])))).toMatchObject({
      code: 'inference_failed',
    });
  });
});
