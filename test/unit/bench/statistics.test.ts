import { resolve } from 'node:path';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly texts: number;
}
interface Statistics {
  readonly textsPerSecond: (spans: Span[], window: { start: number; end: number }) => number;
  readonly percentile: (values: number[], percent: number) => number | null;
  readonly median: (values: number[]) => number | null;
}

const MODULE: string = resolve(import.meta.dirname, '../../../bench/http/statistics.mjs');
const { textsPerSecond, percentile, median } = (await import(MODULE)) as Statistics;

describe('textsPerSecond()', () => {
  const window = { start: 1000, end: 3000 };

  test('counts what lies in the window whole', () => {
    const spans = [
      { start: 1000, end: 1500, texts: 4 },
      { start: 1500, end: 3000, texts: 6 },
    ];
    expect(textsPerSecond(spans, window)).toBe(5);
  });

  test('counts the part that lies in the window, and nothing of the others', () => {
    const spans = [
      { start: 500, end: 1500, texts: 4 },
      { start: 0, end: 4000, texts: 8 },
      { start: 3000, end: 3500, texts: 99 },
    ];
    expect(textsPerSecond(spans, window)).toBe(3);
  });
});

describe('percentile() and median()', () => {
  test('take the nearest rank, in whatever order the values come', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(percentile(values, 50)).toBe(50);
    expect(percentile(values, 99)).toBe(99);
    expect(percentile([7], 99)).toBe(7);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
  });

  test('have no value of nothing', () => {
    expect(percentile([], 50)).toBeNull();
    expect(median([])).toBeNull();
  });
});
