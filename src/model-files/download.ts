import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileFault, StartError } from '../errors.ts';
import { hashFile, noBytes, type HashedBytes } from './file-hash.ts';
import type { Hub, HubFile } from './hub.ts';

/** A file that is downloaded. */
export interface Download {
  readonly file: HubFile;
  /** Where its bytes are kept while there are some missing, and when there are none. */
  readonly part: string;
  /** Called with all bytes that are there so far. */
  readonly onBytes: (bytes: number) => void;
}

/** A file that has been downloaded. */
export interface Downloaded {
  readonly bytes: number;
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string;
}

/** How often a download goes on by itself after a cut. */
const MAX_CUTS = 4;

/** The connection was cut, or closed too early. */
class CutError extends Error {}

/**
 * Downloads a file. Bytes that an earlier attempt has left are kept if the hub names a checksum, by which it is
 * found out whether they belong to the file.
 *
 * @param hub - Has the file.
 * @param download - The file and where it goes.
 * @returns Its size and checksum, which is the one that the hub names, if it does.
 * @throws {@link StartError} `unavailable`: the hub refuses, the connection was cut too often (what has come is
 * kept), or the checksum is another one (nothing is kept); `io`: the disk is full or can't be written.
 */
export async function download(hub: Hub, { file, part, onBytes }: Download): Promise<Downloaded> {
  const found = file.sha256 === null ? noBytes() : await hashFile(part);
  const isResumed = found.bytes > 0;
  for (let cuts = 0; !isComplete(file, found); cuts += 1) {
    try {
      await fetchRest(hub, { file, part, onBytes }, found);
      break;
    } catch (error) {
      if (!(error instanceof CutError)) throw error;
      if (cuts === MAX_CUTS) throw cutOff(file, found.bytes, error);
    }
  }
  const sha256 = found.hash.digest('hex');
  if (file.sha256 === null || file.sha256 === sha256) return { bytes: found.bytes, sha256 };
  rmSync(part, { force: true });
  // The bytes that were there may be of an older file.
  if (isResumed) return download(hub, { file, part, onBytes });
  throw new StartError(
    'unavailable',
    `Cannot use ${file.name}: its SHA-256 is ${sha256}, and the hub says ${file.sha256}; nothing of it was kept`,
  );
}

function isComplete({ size, sha256 }: HubFile, { bytes }: HashedBytes): boolean {
  return sha256 !== null && size !== null && bytes >= size;
}

function cutOff({ name, size }: HubFile, bytes: number, cause: unknown): StartError {
  const all = size === null ? '' : ` of ${size}`;
  return new StartError(
    'unavailable',
    `Cannot download ${name}: the connection was cut after ${bytes}${all} bytes; the same command goes on from there`,
    cause,
  );
}

async function fetchRest(hub: Hub, to: Download, found: HashedBytes): Promise<void> {
  const { file, part } = to;
  const body = await hub.open(file, found.bytes);
  if (body.from !== found.bytes) Object.assign(found, noBytes());
  const handle = await writing(to, () => open(part, found.bytes === 0 ? 'w' : 'a'));
  try {
    for await (const chunk of uncut(body.chunks)) {
      await writing(to, () => handle.appendFile(chunk));
      found.hash.update(chunk);
      found.bytes += chunk.length;
      to.onBytes(found.bytes);
    }
    await writing(to, () => handle.sync());
  } finally {
    await handle.close();
  }
  if (file.size !== null && found.bytes < file.size) throw new CutError('closed too early');
}

// Tells a cut from all else that can go wrong while bytes come.
async function* uncut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw new CutError('cut', { cause: error });
  }
}

async function writing<T>({ file }: Download, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new StartError(
      'io',
      `Cannot write ${file.name}: ${fileFault(error)}; what has come is kept, and the same command goes on from there`,
      error,
    );
  }
}
