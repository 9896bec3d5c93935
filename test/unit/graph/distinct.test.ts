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
});
