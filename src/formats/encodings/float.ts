import type { Encoding } from '../encoding.ts';
import { Float32Rows } from '../wire.ts';

/** Lists of numbers; of a matrix, a list for each row. */
export const float: Encoding = {
  name: 'float',
  encode: (tensor) =>
    tensor.shape.length < 2 ? tensor.data : new Float32Rows(tensor, (row) => row),
};
