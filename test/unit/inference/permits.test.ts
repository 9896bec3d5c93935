import { CpuPermits } from '../../../src/inference/permits.ts';

describe('CpuPermits', () => {
  test('gives out no more than there are, and calls back once when some return', () => {
    const permits = new CpuPermits(2);
    const retried: string[] = [];
    function retry(): void {
      retried.push('retry');
    }
    expect(permits.take(1, retry)).toBe(true);
    expect(permits.take(1, retry)).toBe(true);
    expect(permits.take(1, retry)).toBe(false);
    expect(permits.take(1, retry)).toBe(false);
    permits.give(1);
    expect(retried).toEqual(['retry']);
    expect(permits.take(1, retry)).toBe(true);
  });

  test('lets a batch that wants more than there are have all', () => {
    const permits = new CpuPermits(2);
    expect(permits.take(8, () => undefined)).toBe(true);
    expect(permits.take(1, () => undefined)).toBe(false);
    permits.give(8);
    expect(permits.take(2, () => undefined)).toBe(true);
  });
});
