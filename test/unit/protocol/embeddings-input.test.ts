import { textsOf } from '../../../src/protocol/embeddings-input.ts';
import { thrown } from '../../support/thrown.ts';

describe('textsOf()', () => {
  test.each([
    ['', ['']],
    ['a', ['a']],
    [['a'], ['a']],
    [
      ['a', ''],
      ['a', ''],
    ],
    ['a\ud800', ['a\ufffd']],
    [
      ['\udc00', '\ud83d\ude00'],
      ['\ufffd', '\ud83d\ude00'],
    ],
  ])('of %j are %j', (value, texts) => {
    expect(textsOf(value, 'input')).toEqual(texts);
  });

  test.each([
    [undefined, 'it is missing'],
    [null, 'it is null'],
    [42, 'it is a number'],
    [true, 'it is a boolean'],
    [{}, 'it is an object'],
    [[], 'it is an empty list'],
    [[1, 2], 'item 0 is a number; token ids are not supported'],
    [[[1, 2]], 'item 0 is a list; token ids are not supported'],
    [[[]], 'item 0 is an empty list; token ids are not supported'],
    [['a', null], 'item 1 is null'],
    [['a', {}], 'item 1 is an object'],
    [['a', true, 1], 'item 1 is a boolean'],
  ])('refuses %j', (value, found) => {
    const error = thrown(() => textsOf(value, 'inputs'));
    expect(error).toMatchObject({ code: 'invalid_field', param: 'inputs' });
    expect(String(error)).toContain(
      `Cannot use the field "inputs": it must be a string or a non-empty list of strings, and ${found}`,
    );
  });

  test('checks a million texts in less than 100 ms', () => {
    const texts = JSON.parse(`[${'"a",'.repeat(999_999)}"b"]`) as string[];
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      expect(textsOf(texts, 'input')).toHaveLength(1_000_000);
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
