import { cutText, keptLengths, keptTokens } from '../../../src/tokenizer/cut.ts';

describe('keptLengths()', () => {
  test.each([
    [{ first: 3, second: 4 }, 7, { first: 3, second: 4 }],
    [{ first: 3, second: 4 }, 6, { first: 3, second: 3 }],
    [{ first: 3, second: 4 }, 3, { first: 3, second: 0 }],
    [{ first: 3, second: 4 }, 2, { first: 2, second: 0 }],
    [{ first: 3, second: 0 }, 2, { first: 2, second: 0 }],
    [{ first: 3, second: 4 }, -1, { first: 0, second: 0 }],
  ])('of %j in a room of %d keeps %j', (lengths, room, kept) => {
    expect(keptLengths(lengths, room)).toEqual(kept);
  });
});

describe('cutText()', () => {
  const tokens = ['a', 'b', 'c'];

  test('cuts the end, or the beginning', () => {
    expect(cutText(tokens, 2, 'right')).toEqual(['a', 'b']);
    expect(cutText(tokens, 2, 'left')).toEqual(['b', 'c']);
  });

  test('keeps nothing, or all without a copy', () => {
    expect(cutText(tokens, 0, 'left')).toEqual([]);
    expect(cutText(tokens, 3, 'left')).toBe(tokens);
  });
});

describe('keptTokens()', () => {
  const single = [null, 0, 0, 0, null];
  const pair = [null, 0, 0, null, undefined, 1, 1, 1, null];

  test.each([
    [single, 4, 'right', [0, 1, 2, 4]],
    [single, 4, 'left', [0, 2, 3, 4]],
    [single, 2, 'right', [0, 4]],
    [single, 1, 'right', [0]],
    [pair, 8, 'right', [0, 1, 2, 3, 4, 5, 6, 8]],
    [pair, 8, 'left', [0, 1, 2, 3, 4, 6, 7, 8]],
    [pair, 5, 'left', [0, 2, 3, 4, 8]],
    [[0, 0, 0], 2, 'left', [1, 2]],
  ] as const)('of %j within %d, cut on the %s', (...[textIds, maxTokens, side, kept]) => {
    expect(keptTokens(textIds, { maxTokens, side })).toEqual(kept);
  });
});
