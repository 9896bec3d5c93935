import { resolve } from 'node:path';

interface Batch {
  readonly ids: Int32Array;
  readonly lengths: number[];
}
interface CeilingBatches {
  readonly batchesOf: (rows: number[][], budgetTokens: number) => Batch[];
}

const MODULE: string = resolve(import.meta.dirname, '../../../bench/http/ceiling-batches.mjs');
const { batchesOf } = (await import(MODULE)) as CeilingBatches;

function row(length: number): number[] {
  return Array.from({ length }, () => length);
}

describe('batchesOf()', () => {
  test('sorts by length and cuts where rows times longest would pass the budget', () => {
    const batches = batchesOf([row(5), row(2), row(4), row(1), row(20)], 10);
    expect(batches.map(({ lengths }) => lengths)).toEqual([[1, 2], [4, 5], [20]]);
    expect(batches[0]?.ids).toEqual(Int32Array.of(1, 2, 2));
  });

  test('fills a batch to exactly the budget', () => {
    expect(batchesOf([row(5), row(5)], 10)).toHaveLength(1);
    expect(batchesOf([row(5), row(5)], 9)).toHaveLength(2);
  });
});
