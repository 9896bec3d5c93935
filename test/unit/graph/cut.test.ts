import fc from 'fast-check';
import { cutEmbedding } from '../../../src/graph/cut.ts';

function vectorOf(...numbers: readonly number[]): { shape: number[]; data: Float32Array } {
  return { shape: [numbers.length], data: Float32Array.from(numbers) };
}

describe('cutEmbedding()', () => {
  test('keeps the first numbers, and leaves the embedding as it was', () => {
    const embedding = vectorOf(3, 4, 12);
    expect(cutEmbedding(embedding, 2, false)).toEqual(vectorOf(3, 4));
    expect(cutEmbedding(embedding, 2, true)).toEqual(vectorOf(3 / 5, 4 / 5));
    expect(embedding).toEqual(vectorOf(3, 4, 12));
  });

  test('leaves zeros as they are', () => {
    expect(cutEmbedding(vectorOf(0, 0, 1), 2, true)).toEqual(vectorOf(0, 0));
  });

  test('gives vectors of length 1 of any size', () => {
    const number = fc.float({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 50 }), fc.nat(), (numbers, at) => {
        const embedding = vectorOf(0.5, ...numbers);
        const dimensions = 1 + (at % numbers.length);
        const { shape, data } = cutEmbedding(embedding, dimensions, true);
        expect(shape).toEqual([dimensions]);
        expect(data).toHaveLength(dimensions);
        expect(Math.hypot(...data)).toBeCloseTo(1, 5);
      }),
    );
  });
});
