import type { Encoding } from '../encoding.ts';
import { Float32Bytes, Float32Rows } from '../wire.ts';

/** Base64 over little-endian float32, exactly 4 bytes for each number; of a matrix, a text for each row. */
export const base64: Encoding = {
  name: 'base64',
  encode: (tensor) =>
    tensor.shape.length < 2 ? textOf(tensor.data) : new Float32Rows(tensor, textOf),
};

function textOf(row: Float32Array): Float32Bytes {
  return new Float32Bytes(row, true);
}
