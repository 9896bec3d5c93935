/** Largest buffer that is kept, and bytes kept in all. */
const MAX_BUFFER_BYTES = 1024 * 1024;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

const kept: Uint8Array[] = [];
let keptBytes = 0;

/**
 * A buffer for a body, if possible one that was given back: the memory of bodies lies outside of
 * the heap, where the garbage collector sees it late.
 *
 * @param bytes - Length that it has at least.
 * @returns A buffer with anything in it.
 */
export function takeBuffer(bytes: number): Uint8Array {
  const buffer = kept.pop();
  if (!buffer) return new Uint8Array(bytes);
  keptBytes -= buffer.length;
  return buffer.length >= bytes ? buffer : new Uint8Array(bytes);
}

/**
 * Gives the buffer of a body back. Nothing that was read from the body may be a view of it.
 *
 * @param body - As its collector gave it.
 */
export function giveBack(body: Uint8Array): void {
  const { buffer } = body;
  const bytes = buffer.byteLength;
  const whole = buffer instanceof ArrayBuffer && body.byteOffset === 0 && bytes > 0;
  if (!whole || bytes > MAX_BUFFER_BYTES || keptBytes + bytes > MAX_KEPT_BYTES) return;
  kept.push(new Uint8Array(buffer));
  keptBytes += bytes;
}
