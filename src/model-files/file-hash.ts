import { createHash, type Hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';

/** Bytes of a file, and a hash that has taken them all and can take more. */
export interface HashedBytes {
  bytes: number;
  hash: Hash;
}

/**
 * Takes in what there is of a file.
 *
 * @param file - Its path.
 * @returns Its bytes by SHA-256: 0 if it isn't there or no ordinary file.
 */
export async function hashFile(file: string): Promise<HashedBytes> {
  const hashed = noBytes();
  if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return hashed;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hashed.hash.update(chunk);
    hashed.bytes += chunk.length;
  }
  return hashed;
}

/**
 * A start for bytes to come.
 *
 * @returns None yet.
 */
export function noBytes(): HashedBytes {
  return { bytes: 0, hash: createHash('sha256') };
}
