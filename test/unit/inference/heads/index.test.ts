import { applyHead } from '../../../../src/inference/heads/index.ts';
import type { HeadSpec } from '../../../../src/inference/work.ts';

// Two rows of two columns of two dimensions; the second row has one real token.
const HIDDEN = { shape: [2, 2, 2], data: Float32Array.of(1, 2, 3, 6, 3, 4, 100, 100) };
const LENGTHS = Int32Array.of(2, 1);

function head(pooling: 'cls' | 'last' | 'mean', normalize = false): HeadSpec {
  return { kind: 'pooled', output: 'x', pooling, normalize };
}

describe('applyHead()', () => {
  test.each([
    ['cls', [1, 2, 3, 4]],
    ['last', [3, 6, 3, 4]],
    ['mean', [2, 4, 3, 4]],
  ] as const)('pools by %s, without padding', (pooling, expected) => {
    const { data, shapes } = applyHead(HIDDEN, LENGTHS, head(pooling));
    expect(Array.from(data)).toEqual(expected);
    expect(shapes).toEqual([[2], [2]]);
  });

  test('scales to length 1', () => {
    const { data } = applyHead(HIDDEN, LENGTHS, head('cls', true));
    expect(Array.from(data.subarray(2))).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  test('leaves a zero vector at zero', () => {
    const zero = { shape: [1, 1, 2], data: new Float32Array(2) };
    expect(Array.from(applyHead(zero, Int32Array.of(1), head('mean', true)).data)).toEqual([0, 0]);
  });

  test('takes the output of a model that pools by itself', () => {
    const own = { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };
    const spec = { kind: 'pooled', output: 'x', pooling: 'none', normalize: false } as const;
    expect(Array.from(applyHead(own, LENGTHS, spec).data)).toEqual([1, 2, 3, 4]);
  });

  test('cuts padding off token rows', () => {
    const { data, shapes } = applyHead(HIDDEN, LENGTHS, { kind: 'tokens', output: 'x' });
    expect(Array.from(data)).toEqual([1, 2, 3, 6, 3, 4]);
    expect(shapes).toEqual([
      [2, 2],
      [1, 2],
    ]);
  });

  test('hands logits on, in a buffer of their own', () => {
    const logits = { shape: [2, 1], data: Float32Array.of(5, -5) };
    const { data, shapes } = applyHead(logits, LENGTHS, { kind: 'logits', output: 'x' });
    expect(Array.from(data)).toEqual([5, -5]);
    expect(data.buffer).not.toBe(logits.data.buffer);
    expect(shapes).toEqual([[1], [1]]);
  });

  test('pools many rows in double precision', () => {
    const tokens = 131_072;
    const drift = { shape: [1, tokens, 1], data: new Float32Array(tokens).fill(0.1) };
    const [mean] = applyHead(drift, Int32Array.of(tokens), head('mean')).data;
    expect(mean).toBe(Math.fround(0.1));
  });
});
