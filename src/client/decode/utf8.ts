const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param bytes - Bytes to read; a view is enough.
 * @returns Text of UTF-8 bytes; a byte order mark stays in it.
 * @throws TypeError if the bytes aren't UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}
