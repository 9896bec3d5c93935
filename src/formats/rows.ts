import type { Float32Tensor } from '../tensor.ts';
import type { WireValue } from './wire.ts';

/**
 * A vector as one value, a matrix as the list of its rows' values.
 *
 * @param tensor - `[columns]` or `[rows, columns]`.
 * @param encodeRow - What becomes of the numbers of one row, which are a view.
 * @returns The value of the only row of a vector; else a list, empty for `[0, 0]`.
 */
export function mapRows(
  { shape, data }: Float32Tensor,
  encodeRow: (row: Float32Array) => WireValue,
): WireValue {
  if (shape.length < 2) return encodeRow(data);
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) =>
    encodeRow(data.subarray(row * columns, (row + 1) * columns)),
  );
}
