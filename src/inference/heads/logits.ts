import type { Float32Tensor } from '../../tensor.ts';
import type { HeadOutput } from './head-output.ts';

/**
 * The model's scores as they are.
 *
 * @param output - [rows, labels].
 * @param lengths - Real tokens of each row: [rows].
 * @returns [labels] for each row, in a fresh buffer.
 */
export function logits(output: Float32Tensor, lengths: Int32Array): HeadOutput {
  const labels = output.shape.at(-1) ?? 0;
  return { data: output.data.slice(), shapes: Array.from(lengths, () => [labels]) };
}
