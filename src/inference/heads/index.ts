import type { Float32Tensor } from '../../tensor.ts';
import type { HeadSpec } from '../work.ts';
import type { HeadOutput } from './head-output.ts';
import { logits } from './logits.ts';
import { pooled } from './pooled.ts';
import { tokens } from './tokens.ts';

/**
 * Makes of a model's output one tensor for each row.
 *
 * @param output - [rows, columns, dimensions], or [rows, n].
 * @param lengths - Real tokens of each row: [rows].
 * @param head - What is wanted.
 * @returns The results in a fresh buffer.
 */
export function applyHead(output: Float32Tensor, lengths: Int32Array, head: HeadSpec): HeadOutput {
  switch (head.kind) {
    case 'pooled':
      return pooled(output, lengths, head);
    case 'tokens':
      return tokens(output, lengths);
    case 'logits':
      return logits(output, lengths);
  }
}
