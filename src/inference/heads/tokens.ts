import type { Float32Tensor } from '../../tensor.ts';
import type { HeadOutput } from './head-output.ts';

/**
 * The rows of the real tokens, special tokens included, as the model gives them.
 *
 * @param output - [rows, columns, dimensions].
 * @param lengths - Real tokens of each row: [rows].
 * @returns [tokens, dimensions] for each row, in a fresh buffer.
 */
export function tokens(output: Float32Tensor, lengths: Int32Array): HeadOutput {
  const dimensions = output.shape.at(-1) ?? 0;
  const stride = output.data.length / lengths.length;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const data = new Float32Array(total * dimensions);
  let at = 0;
  lengths.forEach((length, row) => {
    const from = row * stride;
    data.set(output.data.subarray(from, from + length * dimensions), at);
    at += length * dimensions;
  });
  return { data, shapes: Array.from(lengths, (length) => [length, dimensions]) };
}
