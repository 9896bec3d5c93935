import { decodeBase64 } from './base64.ts';

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const HOST_IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * @param bytes - Bytes to read; a view is enough.
 * @returns Numbers of little-endian float32 bytes; a copy.
 * @throws Error if the length isn't a multiple of 4.
 */
export function floatsOf(bytes: Uint8Array): Float32Array {
  if (bytes.length % BYTES !== 0) {
    throw new Error(`${bytes.length} bytes are not a whole number of float32 values`);
  }
  const floats = new Float32Array(bytes.length / BYTES);
  if (HOST_IS_LITTLE_ENDIAN) {
    new Uint8Array(floats.buffer).set(bytes);
    return floats;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < floats.length; i++) floats[i] = view.getFloat32(i * BYTES, true);
  return floats;
}

/**
 * @param text - Characters to read.
 * @returns Numbers of an embedding that was asked for as `base64`: the text of little-endian
 * float32.
 * @throws Error if the text isn't base64, or not of whole numbers.
 */
export function decodeBase64Float32(text: string): Float32Array {
  return floatsOf(decodeBase64(text));
}
