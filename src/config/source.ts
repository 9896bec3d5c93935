import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileFault, StartError } from '../errors.ts';
import { parseYaml, type ValuePath } from './yaml.ts';

/** Settings as someone wrote them, and where. */
export interface Source {
  /** Not checked yet. */
  readonly values: unknown;
  /** The folder that a relative path at this place resolves against; absolute. */
  readonly baseOf: (path: ValuePath) => string;
  /** An error that begins with the place, as `file:line: path` or `--flag`. */
  readonly fault: (path: ValuePath, reason: string) => StartError;
}

/** A file to read. */
export interface SourceFile {
  /** As the user wrote it; absolute, or relative to `cwd`. */
  readonly file: string;
  /** The folder that the user is in; '' for that of the process. */
  readonly cwd: string;
  /** What the file is to hold, for a look at it before it does; by default what it holds. */
  readonly text?: string | undefined;
  /** The error for a file that can't be read; located where the file is named. */
  readonly unreadable: (reason: string) => StartError;
}

/**
 * Whether a path leads into a folder.
 *
 * @param folder - Absolute.
 * @param path - Absolute.
 * @returns True also for the folder itself.
 */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * A file as a user would write it.
 *
 * @param file - Absolute, or relative to `cwd`.
 * @param cwd - The folder that the user is in; '' for that of the process.
 * @returns Relative to `cwd` if it is inside, else absolute.
 */
export function shownPath(file: string, cwd: string): string {
  const absolute = resolve(cwd, file);
  const folder = resolve(cwd);
  return isInside(folder, absolute) && absolute !== folder ? relative(folder, absolute) : absolute;
}

/**
 * Where a value stands, as developers write it.
 *
 * @param path - Keys and indexes.
 * @returns Such as `models[0].name`; an empty text for an empty path.
 */
export function shownKeys(path: ValuePath): string {
  return path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[${key}]`;
    const name = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
    return shown === '' ? name : `${shown}.${name}`;
  }, '');
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// A newline is never a part of another character in UTF-8, so lines can be looked at one by one.
function lineOfBadText(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex((line) => decoded(Buffer.from(line, 'latin1')) === null) + 1;
}

function bytesOf(file: string, { text, unreadable }: SourceFile): Buffer {
  if (text !== undefined) return Buffer.from(text);
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(fileFault(error));
  }
}

/**
 * Reads a YAML file.
 *
 * @param source - Which, and what to say if it can't be read.
 * @returns Its values, and their places.
 * @throws {@link StartError} `config`: unreadable, not UTF-8 or not valid YAML.
 */
export function readSource(source: SourceFile): Source {
  const file = resolve(source.cwd, source.file);
  const shown = shownPath(file, source.cwd);
  const bytes = bytesOf(file, source);
  const text = decoded(bytes);
  if (text === null) {
    throw new StartError('config', `${shown}:${lineOfBadText(bytes)}: the text is not UTF-8`);
  }
  const { values, fault, lineOf } = parseYaml(text);
  function faultAt(path: ValuePath, reason: string): StartError {
    const place = path.length === 0 ? '' : `${shownKeys(path)}: `;
    return new StartError('config', `${shown}:${lineOf(path)}: ${place}${reason}`);
  }
  if (fault !== null) throw faultAt(fault.path, fault.reason);
  return { values, baseOf: () => dirname(file), fault: faultAt };
}
