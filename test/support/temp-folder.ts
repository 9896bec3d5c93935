import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of a test, with files in it. */
export interface TempFolder {
  /** Absolute. */
  readonly path: string;
  /** Writes a file, and the folders that it is in. */
  readonly write: (file: string, content: string | Uint8Array) => void;
  readonly remove: () => void;
}

/**
 * Makes an empty folder; the test removes it.
 *
 * @returns The folder.
 */
export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'tensorgate-'));
  return {
    path,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
