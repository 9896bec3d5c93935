import type { Embedding } from './responses.ts';
import type { Vector } from './decode/embeddings.ts';

/**
 * Copies vectors into one array.
 *
 * @param data - One for each text that succeeded.
 * @param inputs - Texts of the call; fewer vectors mean that some failed.
 * @returns `[rows, dimensions]`, row-major.
 * @throws Error if that isn't possible; the messages are those of the Python client.
 */
export function floatMatrix(data: readonly Embedding<Vector>[], inputs: number): Float32Array {
  if (data.length < inputs) {
    const failed = inputs - data.length;
    throw new Error(`Cannot convert to array: ${failed} of ${inputs} inputs failed`);
  }
  const [first] = data;
  if (!first) throw new Error('Cannot convert to array: contains no embedding responses');
  const dimensions = first.embedding.length;
  const matrix = new Float32Array(data.length * dimensions);
  data.forEach(({ embedding }, at) => {
    if (typeof embedding === 'string') {
      throw new Error(
        `Cannot convert to array: found Base64 encoded embedding at index ${at}. ` +
          'Only float vectors are supported.',
      );
    }
    if (embedding.length !== dimensions) {
      throw new Error(
        'All embeddings must have the same dimension. ' +
          `Expected ${dimensions} but got ${embedding.length} at index ${at}.`,
      );
    }
    matrix.set(embedding, at * dimensions);
  });
  return matrix;
}
