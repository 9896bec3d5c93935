import type { Float32Tensor } from '../../tensor.ts';
import type { HeadSpec } from '../work.ts';
import type { HeadOutput } from './head-output.ts';

/** Below this length a vector is taken for zero. Source: the eps of torch's normalize. */
const SMALLEST_NORM = 1e-12;

// Sums in double precision: a float32 sum over 131,072 rows drifts by about 1e-3.
function meanOf(rows: Float32Array, tokens: number, sums: Float64Array): void {
  const dimensions = sums.length;
  sums.fill(0);
  for (let at = 0; at < tokens * dimensions; at += dimensions) {
    for (let column = 0; column < dimensions; column += 1) {
      sums[column] = (sums[column] ?? 0) + (rows[at + column] ?? 0);
    }
  }
  for (let column = 0; column < dimensions; column += 1) {
    sums[column] = (sums[column] ?? 0) / tokens;
  }
}

function scaleToUnit(vector: Float64Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const norm = Math.max(Math.sqrt(squares), SMALLEST_NORM);
  for (let column = 0; column < vector.length; column += 1) {
    vector[column] = (vector[column] ?? 0) / norm;
  }
}

/**
 * One vector for each row.
 *
 * @param output - [rows, columns, dimensions], or [rows, dimensions] where the model pools.
 * @param lengths - Real tokens of each row: [rows].
 * @param head - How to pool, and whether to scale to length 1.
 * @returns [dimensions] for each row, in a fresh buffer.
 */
export function pooled(
  output: Float32Tensor,
  lengths: Int32Array,
  head: HeadSpec & { readonly kind: 'pooled' },
): HeadOutput {
  const dimensions = output.shape.at(-1) ?? 0;
  const stride = output.data.length / lengths.length;
  const data = new Float32Array(lengths.length * dimensions);
  const vector = new Float64Array(dimensions);
  lengths.forEach((tokens, row) => {
    const rows = output.data.subarray(row * stride, (row + 1) * stride);
    if (head.pooling === 'mean') {
      meanOf(rows, tokens, vector);
    } else {
      const at = head.pooling === 'last' ? (tokens - 1) * dimensions : 0;
      vector.set(rows.subarray(at, at + dimensions));
    }
    if (head.normalize) scaleToUnit(vector);
    data.set(vector, row * dimensions);
  });
  return { data, shapes: Array.from(lengths, () => [dimensions]) };
}
