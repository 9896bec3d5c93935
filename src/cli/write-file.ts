import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/**
 * Writes a file that isn't there.
 *
 * @param file - Its folder is there.
 * @param text - All of it.
 * @throws Errors of `node:fs`, such as `EEXIST`; then there is no file that wasn't there before.
 */
export function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeTo(descriptor, text);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/**
 * Puts a file in the place of another in one step: whoever reads sees all of the one or of the other, also
 * after a crash.
 *
 * @param file - It may be missing. A symbolic link stays one, and what it points at is replaced; permissions are kept.
 * @param text - All of it.
 * @throws Errors of `node:fs`.
 */
export function replaceFile(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : resolve(file);
  const beside = resolve(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    writeNew(beside, text);
    if (existsSync(target)) chmodSync(beside, statSync(target).mode);
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}

// Closes the file, also where it can't be written.
function writeTo(descriptor: number, text: string): void {
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
