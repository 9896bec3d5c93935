import { ServeError } from '../errors.ts';

/**
 * Refuses NaN and infinities, which no client could use and JSON can't hold.
 *
 * @param data - The numbers of an embedding.
 * @returns The same numbers.
 * @throws {@link ServeError} `inference_failed`.
 */
export function requireFinite(data: Float32Array): Float32Array {
  // x * 0 is NaN for NaN and the infinities: one sum without a branch for each number.
  let sum = 0;
  for (const value of data) sum += value * 0;
  if (sum !== 0) {
    throw new ServeError(
      'inference_failed',
      'Cannot send the embedding: the model computed numbers that are not finite',
    );
  }
  return data;
}
