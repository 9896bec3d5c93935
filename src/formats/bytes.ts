/** Whether this machine keeps the low byte first. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

const FLOAT32_BYTES = 4;

/**
 * The bytes of float32 numbers, low byte first.
 *
 * @param data - Any view; only its own part of the buffer is taken.
 * @param isLittleEndian - Whether the machine's order is the wanted one; the machine's, unless a test says else.
 * @returns 4 bytes for each number: a view of the same memory where the machine's order allows it, else a copy.
 */
export function littleEndianBytes(
  data: Float32Array,
  isLittleEndian = IS_LITTLE_ENDIAN,
): Uint8Array {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return isLittleEndian ? bytes : swapped(bytes);
}

/**
 * The float32 numbers in bytes, low byte first: undoes {@link littleEndianBytes}.
 *
 * @param bytes - 4 for each number, at any offset of their buffer.
 * @param isLittleEndian - As above.
 * @returns A copy.
 * @throws TypeError if the number of bytes isn't a multiple of 4.
 */
export function floatsOf(bytes: Uint8Array, isLittleEndian = IS_LITTLE_ENDIAN): Float32Array {
  if (bytes.length % FLOAT32_BYTES !== 0) {
    throw new TypeError(
      `Cannot read ${bytes.length} bytes as float32 numbers: each has ${FLOAT32_BYTES}`,
    );
  }
  // Not slice(), which of a Buffer is a view, at any offset.
  const copy = isLittleEndian ? new Uint8Array(bytes) : swapped(bytes);
  return new Float32Array(copy.buffer, copy.byteOffset, copy.length / FLOAT32_BYTES);
}

/**
 * Base64 in the standard alphabet, with padding.
 *
 * @param bytes - Any view; only its own part of the buffer is taken.
 * @returns ASCII text.
 */
export function base64Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function swapped(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    copy[index ^ (FLOAT32_BYTES - 1)] = bytes[index] ?? 0;
  }
  return copy;
}
