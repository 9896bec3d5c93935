import type { Float32Tensor } from '../tensor.ts';

/** Below this length a vector is taken for zero. Source: the eps of torch's normalize. */
const SMALLEST_NORM = 1e-12;

/**
 * Cuts an embedding to its first numbers, which for models that were trained for it are the most
 * telling. Done here and not with the batch: so requests for other sizes share its batches.
 *
 * @param embedding - [dimensions], not changed.
 * @param dimensions - Numbers to keep, at most as many as there are.
 * @param normalize - Whether the cut vector is scaled to length 1; a vector of zeros stays one.
 * @returns [dimensions], a copy.
 */
export function cutEmbedding(
  { data }: Float32Tensor,
  dimensions: number,
  normalize: boolean,
): Float32Tensor {
  const kept = data.slice(0, dimensions);
  if (!normalize) return { shape: [dimensions], data: kept };
  let squares = 0;
  for (const value of kept) squares += value * value;
  const norm = Math.max(Math.sqrt(squares), SMALLEST_NORM);
  for (let at = 0; at < kept.length; at += 1) kept[at] = (kept[at] ?? 0) / norm;
  return { shape: [dimensions], data: kept };
}
