import { distinct } from '../../../src/graph/distinct.ts';

describe('distinct()', () => {
  test('names each text once, in the order of its first appearance', () => {
    expect(distinct(['b', 'a', 'b', '', 'a'])).toEqual({
      inputs: ['b', 'a', ''],
      positions: [0, 1, 0, 2, 1],
    });
  });

  test('tells pairs apart by where the first text ends', () => {
    const pairs = [
      { first: 'ab', second: 'c' },
      { first: 'a', second: 'bc' },
      { first: 'ab', second: 'c' },
    ];
    expect(distinct(pairs).positions).toEqual([0, 1, 0]);
  });

  test('tells a text from a pair with an empty one', () => {
    const inputs = ['a', { first: 'a', second: '' }, { first: '', second: 'a' }, 'a'];
    expect(distinct(inputs).positions).toEqual([0, 1, 2, 0]);
  });

  test('joins the texts of pairs to nothing, however long the first is', () => {
    const first = 'q'.repeat(1_000_000);
    const pairs = Array.from({ length: 1000 }, (_, at) => ({ first, second: `${at % 500}` }));
    const before = process.memoryUsage().heapUsed;
    const { inputs, positions } = distinct(pairs);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
    expect(inputs).toHaveLength(500);
    expect(positions[999]).toBe(499);
  });
});
