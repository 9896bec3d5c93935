import type { Encoding } from '../encoding.ts';
import { requireFinite } from '../finite.ts';
import { mapRows } from '../rows.ts';

/** Arrays of numbers; of a matrix, an array for each row. */
export const float: Encoding = {
  name: 'float',
  encode: (tensor) => mapRows(tensor, requireFinite),
};
