import { codePoints, planBatches } from '../../../src/client/batching.ts';

/** Texts of the given lengths, cut by characters and number; as lists of lengths. */
function cut(lengths: readonly number[], maxChars: number, maxTexts: number): number[][] {
  const sizes = lengths.map((chars) => ({ chars, bytes: 0 }));
  const batches = planBatches(sizes, { maxChars, maxTexts, maxBytes: Infinity });
  expect(batches.map(({ index }) => index)).toEqual(batches.map((_, at) => at));
  return batches.map(({ start, end }) => lengths.slice(start, end));
}

const VECTORS: readonly [string, number[], [number, number], number[][]][] = [
  ['an oversized text alone', [5, 10, 3, 21, 5, 5], [20, 3], [[5, 10, 3], [21], [5, 5]]],
  ['full by number, then by size', [1, 1, 1, 1, 9, 2], [6, 3], [[1, 1, 1], [1], [9], [2]]],
  ['two oversized in a row', [30, 20, 1, 60, 50, 1], [50, 8], [[30, 20], [1], [60], [50], [1]]],
  ['all that fits', [5, 10, 5], [20, 3], [[5, 10, 5]]],
  ['nothing', [], [20, 3], []],
  ['all oversized', [21, 22, 23], [20, 3], [[21], [22], [23]]],
  ['exactly the characters', [10, 10, 1], [20, 8], [[10, 10], [1]]],
  [
    'exactly the number',
    [1, 1, 1, 1],
    [20, 2],
    [
      [1, 1],
      [1, 1],
    ],
  ],
  ['empty texts', [0, 0, 0], [50, 2], [[0, 0], [0]]],
];

describe('planBatches()', () => {
  test.each(VECTORS.map(([name, ...vector]) => ({ name, vector })))('cuts $name', ({ vector }) => {
    const [lengths, [maxChars, maxTexts], expected] = vector;
    expect(cut(lengths, maxChars, maxTexts)).toEqual(expected);
  });

  test('cuts 20 texts of 1,000 characters by the defaults into 8, 8 and 4', () => {
    expect(cut(Array<number>(20).fill(1000), 8000, 8).map((batch) => batch.length)).toEqual([
      8, 8, 4,
    ]);
  });

  test('cuts 253 texts by 3 into 85 batches', () => {
    expect(cut(Array<number>(253).fill(1), 8000, 3)).toHaveLength(85);
  });

  test('closes a batch before its bytes pass the bound', () => {
    const sizes = [4, 4, 4].map((bytes) => ({ chars: 1, bytes }));
    const bounds = { maxChars: 100, maxTexts: 8, maxBytes: 8 };
    expect(planBatches(sizes, bounds).map(({ end }) => end)).toEqual([2, 3]);
  });
});

describe('codePoints()', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é'.repeat(50), 50],
    ['😀😀', 2],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['a\ud83d\ud83d\ude00b', 4],
  ])('counts %j as %i', (text, count) => {
    expect(codePoints(text)).toBe(count);
    expect(codePoints(text)).toBe(Array.from(text).length);
  });
});
