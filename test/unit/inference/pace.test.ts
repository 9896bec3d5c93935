import { Pace } from '../../../src/inference/pace.ts';

describe('Pace', () => {
  test('advises a second before it has seen two batches', () => {
    const pace = new Pace();
    expect(pace.secondsFor(1e6)).toBe(1);
    pace.note([{ tokens: 5 }], 0);
    expect(pace.secondsFor(1e6)).toBe(1);
  });

  test('advises the time that the tokens will take', () => {
    const pace = new Pace();
    pace.note([{ tokens: 1000 }], 0);
    pace.note([{ tokens: 500 }, { tokens: 500 }], 100);
    expect(pace.secondsFor(10_000)).toBe(1);
    expect(pace.secondsFor(100_001)).toBe(11);
    expect(pace.secondsFor(1e9)).toBe(60);
  });
});
