/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { Float32Bytes, Float32Rows, type WireValue } from '../../src/formats/wire.ts';
import { WIRES } from '../../src/formats/wires/index.ts';
import { bytesOf, WIRE_READERS } from '../support/wire-readers.ts';

const MAX_SLICE_BYTES = 65_536;

/** 1,024 rows of 384: a large answer. */
const NUMBERS = Float32Array.from({ length: 1024 * 384 }, (_, at) => Math.sin(at + 1) / 19.6);
const MATRIX = { shape: [1024, 384], data: NUMBERS };

const LARGE: Readonly<Record<string, WireValue>> = {
  'one list of numbers': NUMBERS,
  'rows of numbers': new Float32Rows(MATRIX, (row) => row),
  'rows of text': new Float32Rows(MATRIX, (row) => new Float32Bytes(row, true)),
  bytes: new Float32Bytes(NUMBERS, false),
  'one text of bytes': new Float32Bytes(NUMBERS, true),
  'many small objects': Array.from({ length: 20_000 }, (_, index) => ({ index, label: 'a' })),
  'many texts': Array<string>(500).fill('\u20ac'.repeat(1_500)),
  'one text': '\u20ac\ud83d\ude00"'.repeat(100_000),
  'many keys': Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`key ${at}`, null])),
};

/** Rows that count how many of them were made. */
function countingRows(): { readonly value: Float32Rows; readonly made: () => number } {
  let count = 0;
  const value = new Float32Rows(MATRIX, (row) => {
    count += 1;
    return row;
  });
  return { value, made: () => count };
}

describe.each(Object.entries(WIRE_READERS))('a wire that %s reads', (_reader, { wire, read }) => {
  test.each(Object.entries(LARGE))('writes %s in slices of at most 64 KiB', (_title, value) => {
    const slices = [...wire.serialize(value)];
    expect(slices.length).toBeGreaterThan(2);
    for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(MAX_SLICE_BYTES);
    expect(() => read(Buffer.concat(slices))).not.toThrow();
  });

  test.each(Object.entries(LARGE))('keeps the slices of %s as they are', (_title, value) => {
    const whole = bytesOf(wire, value);
    const slices = [...wire.serialize(value)].map((slice) => ({ slice, copy: slice.slice() }));
    bytesOf(wire, 'something else'.repeat(10_000));
    expect(slices.every(({ slice, copy }) => Buffer.compare(slice, copy) === 0)).toBe(true);
    expect(Buffer.concat(slices.map(({ slice }) => slice)).equals(whole)).toBe(true);
  });

  test('gives a small value as one slice', () => {
    expect([...wire.serialize({ a: new Float32Array(384).fill(0.123) })]).toHaveLength(1);
    expect([...wire.serialize('')]).toHaveLength(1);
  });

  test('makes rows when it writes them, not before', () => {
    const { value, made } = countingRows();
    const slices = wire.serialize(value)[Symbol.iterator]();
    expect(made()).toBe(0);
    slices.next();
    expect(made()).toBeGreaterThan(0);
    expect(made()).toBeLessThan(50);
  });

  test('writes several values in turn', () => {
    const values = ['a', 'b'].map((letter) => Array<string>(3_000).fill(letter.repeat(50)));
    const writers = values.map((value) => wire.serialize(value)[Symbol.iterator]());
    const parts = values.map((): Uint8Array[] => []);
    for (let isOpen = true; isOpen;) {
      isOpen = false;
      for (const [index, writer] of writers.entries()) {
        const { value, done } = writer.next() as IteratorResult<Uint8Array, undefined>;
        if (done === true) continue;
        parts[index]?.push(value);
        isOpen = true;
      }
    }
    expect(parts.map((part) => read(Buffer.concat(part)))).toEqual(values);
  });

  test.each([
    ['one-byte', 'x'],
    ['escaped', '"\n'],
    ['two-byte', '\u00e4'],
    ['three-byte', '\u20ac'],
    ['paired', '\ud83d\ude00'],
    ['paired at odd places', 'a\ud83d\ude00'],
  ])('writes long %s texts and keys', (_title, unit) => {
    for (const length of [4_090, 4_096, 8_192, 100_000]) {
      const long = unit.repeat(Math.ceil(length / unit.length));
      const value = [long, { k: long, [long]: 1 }, ['z']];
      expect(read(bytesOf(wire, value))).toEqual(value);
    }
  });

  test.each([NaN, Infinity, -Infinity])('refuses the number %d', (number) => {
    expect(() => bytesOf(wire, [1, number])).toThrow(TypeError);
  });
});

test('every wire has media types of its own', () => {
  const all = WIRES.flatMap(({ mediaTypes }) => mediaTypes);
  expect(new Set(all).size).toBe(all.length);
  for (const mediaType of all) expect(mediaType).toMatch(/^application\/[a-z-]+$/);
});
