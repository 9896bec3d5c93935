import { Float32Bytes, Float32Rows, type WireValue } from '../formats/wire.ts';

/** Of a number, a boolean, or a reference. */
const SLOT_BYTES = 8;

/**
 * About how much memory an answer takes before it is written.
 *
 * @param value - Numbers and texts count as they are, whatever they become on the wire.
 * @returns Bytes.
 */
export function weightOf(value: WireValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SLOT_BYTES;
  if (value instanceof Float32Array) return value.byteLength;
  if (value instanceof Float32Bytes || value instanceof Float32Rows) return value.data.byteLength;
  let bytes = 0;
  const parts = Array.isArray(value) ? (value as readonly WireValue[]) : Object.values(value);
  for (const part of parts) bytes += SLOT_BYTES + weightOf(part);
  return bytes;
}
