import fc from 'fast-check';
import { nextBatch } from '../../../src/inference/batch-policy.ts';
import type { WaitingRow } from '../../../src/inference/batch-policy.ts';

function row(tokens: number, more: Partial<WaitingRow> = {}): WaitingRow {
  return { tokens, turn: 0, deadlineMs: Infinity, key: 'a', ...more };
}

function tokensOf(
  waiting: readonly WaitingRow[],
  batch: readonly number[],
): (number | undefined)[] {
  return batch.map((at) => waiting[at]?.tokens);
}

const BUDGET = { maxPaddedTokens: 1024, maxRows: 256 };

describe('nextBatch()', () => {
  test('takes a lone row, however long', () => {
    expect(nextBatch([row(5000)], BUDGET)).toEqual([0]);
  });

  test('is led by the row with the lowest turn', () => {
    const waiting = [row(10, { turn: 5 }), row(100, { turn: 4 }), row(500, { turn: 6 })];
    expect(tokensOf(waiting, nextBatch(waiting, BUDGET))).toEqual([100]);
  });

  test('lets the earlier deadline decide between equal turns', () => {
    const waiting = [row(10), row(300, { deadlineMs: 7 })];
    expect(nextBatch(waiting, BUDGET)).toEqual([1]);
  });

  test('fills up with rows of the same length to exactly the budget', () => {
    const waiting = Array.from({ length: 9 }, () => row(128));
    expect(nextBatch(waiting, BUDGET)).toHaveLength(8);
  });

  test('takes neighbours in length, shorter and longer, and leaves the others', () => {
    const waiting = [row(3), row(58), row(60, { turn: -1 }), row(61), row(400)];
    expect(tokensOf(waiting, nextBatch(waiting, BUDGET))).toEqual([58, 60, 61]);
  });

  test('keeps rows with another key out', () => {
    const waiting = [row(8), row(8, { key: 'b' }), row(8)];
    expect(nextBatch(waiting, BUDGET)).toEqual([0, 2]);
  });

  test('takes no more rows than allowed', () => {
    const waiting = Array.from({ length: 9 }, () => row(1));
    expect(nextBatch(waiting, { maxPaddedTokens: 1024, maxRows: 4 })).toHaveLength(4);
  });
});

const WAITING = fc
  .array(
    fc.record({
      tokens: fc.integer({ min: 1, max: 600 }),
      turn: fc.integer({ min: 0, max: 50 }),
      deadlineMs: fc.constantFrom(1, 2, Infinity),
      key: fc.constantFrom('a', 'b'),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) => rows.toSorted((one, other) => one.tokens - other.tokens));

test('every row gets into exactly one batch, and every batch keeps its bounds', () => {
  fc.assert(
    fc.property(WAITING, fc.integer({ min: 1, max: 2048 }), (rows, maxPaddedTokens) => {
      let waiting: readonly WaitingRow[] = rows;
      while (waiting.length > 0) {
        const batch = nextBatch(waiting, { maxPaddedTokens, maxRows: 16 });
        const chosen = batch.flatMap((at) => waiting[at] ?? []);
        const longest = Math.max(...chosen.map(({ tokens }) => tokens));
        const lowest = Math.min(...waiting.map(({ turn }) => turn));
        expect(new Set(batch).size).toBe(chosen.length);
        expect(chosen.length).toBeGreaterThan(0);
        expect(chosen.length).toBeLessThanOrEqual(16);
        expect(new Set(chosen.map(({ key }) => key)).size).toBe(1);
        expect(chosen.map(({ turn }) => turn)).toContain(lowest);
        if (chosen.length > 1) expect(chosen.length * longest).toBeLessThanOrEqual(maxPaddedTokens);
        waiting = waiting.filter((_row, at) => !batch.includes(at));
      }
    }),
    { numRuns: 300 },
  );
});
