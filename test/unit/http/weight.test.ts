import { weightOf } from '../../../src/http/weight.ts';

describe('weightOf()', () => {
  test('counts numbers and texts as they are', () => {
    expect(weightOf(new Float32Array(100))).toBe(400);
    expect(weightOf('x'.repeat(300))).toBe(300);
    const list = Array.from({ length: 10 }, () => ({ embedding: new Float32Array(100) }));
    expect(weightOf(list)).toBeGreaterThanOrEqual(4_000);
    expect(weightOf(list)).toBeLessThan(4_400);
  });

  test.each([null, true, 1, [], {}])('of %j is little', (value) => {
    expect(weightOf(value)).toBeLessThan(20);
  });
});
