import fc from 'fast-check';
import { cosine, relevance, sigmoid, softmax } from '../../../../src/graph/nodes/scores.ts';

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });

describe('sigmoid()', () => {
  test.each([
    [0, 0.5],
    [-0.23503959, 0.4415091],
    [2, 0.8807970779778823],
    [-2, 0.11920292202211755],
    [3.4e38, 1],
    [-3.4e38, 0],
    [-700, Math.exp(-700)],
  ])('of %d is %d', (logit, probability) => {
    expect(sigmoid(logit)).toBeCloseTo(probability, 7);
  });

  test('keeps small probabilities apart, where 1 - sigmoid(-x) would be 0', () => {
    expect(sigmoid(-700) / Math.exp(-700)).toBeCloseTo(1, 10);
  });

  test('is from 0 to 1, grows, and is symmetric, for every float32', () => {
    fc.assert(
      fc.property(finite, finite, (one, other) => {
        const [low = 0, high = 0] = [one, other].sort((a, b) => a - b);
        expect(sigmoid(low)).toBeLessThanOrEqual(sigmoid(high));
        expect(sigmoid(low)).toBeGreaterThanOrEqual(0);
        expect(sigmoid(high)).toBeLessThanOrEqual(1);
        expect(sigmoid(one) + sigmoid(-one)).toBeCloseTo(1, 12);
      }),
    );
  });
});

describe('softmax()', () => {
  test('of equal logits is uniform, however large they are', () => {
    for (const logit of [0, 3.4e38, -3.4e38]) {
      expect(softmax([logit, logit])).toEqual(Float64Array.of(0.5, 0.5));
    }
  });

  test('has the reference probabilities', () => {
    const scores = softmax([-1.8632121, -0.020988036, -1.7495966]);
    expect(scores[0]).toBeCloseTo(0.1186116, 6);
    expect(scores[1]).toBeCloseTo(0.74850535, 6);
    expect(scores[2]).toBeCloseTo(0.1328831, 6);
  });

  test('sums up to 1 in the order of the logits, for every float32', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 20 }), (logits) => {
        const scores = softmax(logits);
        expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 10);
        logits.forEach((logit, at) => {
          const larger = logits.findIndex((other) => other > logit);
          if (larger >= 0) expect(scores[larger]).toBeGreaterThanOrEqual(scores[at] ?? NaN);
        });
      }),
    );
  });
});

describe('relevance()', () => {
  test('is the one logit', () => {
    expect(relevance([-0.5])).toBe(-0.5);
  });

  test('of two logits has the softmax of the last as its sigmoid', () => {
    fc.assert(
      fc.property(fc.tuple(finite, finite), (logits) => {
        expect(sigmoid(relevance(logits))).toBeCloseTo(softmax(logits)[1] ?? NaN, 10);
      }),
    );
  });
});

describe('cosine()', () => {
  test('is the dot product of vectors of length 1', () => {
    const one = Float32Array.of(0.6, 0.8);
    expect(cosine(one, Float32Array.of(1, 0))).toBeCloseTo(0.6, 6);
    expect(cosine(one, Float32Array.of(-0.8, 0.6))).toBeCloseTo(0, 6);
  });

  test('never leaves -1 to 1 by rounding', () => {
    // Each square of 0.57735 rounded up to float32 is a little more than a third.
    const long = Float32Array.of(0.57736, 0.57736, 0.57736);
    expect(cosine(long, long)).toBe(1);
    expect(
      cosine(
        long,
        long.map((value) => -value),
      ),
    ).toBe(-1);
  });
});
