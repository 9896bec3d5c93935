import { closest } from '../../../src/schema/closest.ts';

describe('closest()', () => {
  test('takes the nearest of several', () => {
    expect(closest('trunkate', ['truncated', 'truncate', 'x'])).toBe('truncate');
  });

  test.each([
    ['max_batchsize', 'max_batch_size'],
    ['maxBatchSize', 'max_batch_size'],
    ['max-lenght', 'max_length'],
    ['nme', 'name'],
    ['colour', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ])('%s: %s', (word, meant) => {
    expect(closest(word, ['name', 'max_length', 'max_batch_size'])).toBe(meant);
  });
});
