import { base64Text, littleEndianBytes } from '../bytes.ts';
import type { Encoding } from '../encoding.ts';
import { requireFinite } from '../finite.ts';
import { mapRows } from '../rows.ts';

/** Base64 over little-endian float32, exactly 4 bytes for each number; of a matrix, a text for each row. */
export const base64: Encoding = {
  name: 'base64',
  encode: (tensor) => mapRows(tensor, (row) => base64Text(littleEndianBytes(requireFinite(row)))),
};
