import { Decompress } from 'fzstd';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * @param bytes - Bytes to read; a view is enough.
 * @returns Whether bytes begin as a zstd frame does.
 */
export function isZstd(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/**
 * Decompresses zstd in JavaScript: any number of frames, with or without their size.
 *
 * @param body - Bytes of the answer.
 * @param maxBytes - Most bytes that it may have.
 * @returns A new array.
 * @throws Error if the bytes aren't zstd, end early, or hold more than `maxBytes`.
 */
export function unzstdSlowly(body: Uint8Array, maxBytes: number): Uint8Array {
  if (!isZstd(body)) throw new Error('not a zstd frame');
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((chunk) => {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    chunks.push(new Uint8Array(chunk));
  });
  stream.push(body, true);
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
