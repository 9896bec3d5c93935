import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileFault, StartError } from '../errors.ts';

/** An object of a JSON file, not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Codes of files that aren't there. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** Whether a file may be missing. */
type Presence = 'required' | 'optional';

function unusable(file: string, reason: string, cause?: unknown): StartError {
  return new StartError('config', `${relative('', file)}: ${reason}`, cause);
}

function textOf(file: string, presence: Presence): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (presence === 'optional' && ABSENT.has(code)) return null;
    throw unusable(file, `cannot read the file: ${fileFault(error)}`, error);
  }
}

// Undefined: there is no such file.
function read(file: string, presence: Presence): unknown {
  const json = textOf(file, presence);
  if (json === null) return undefined;
  try {
    return JSON.parse(json);
  } catch (error) {
    const { message } = error as { readonly message: string };
    throw unusable(file, `not valid JSON: ${message}`, error);
  }
}

/**
 * Reads a JSON file of a model that holds an object.
 *
 * @param file - Its path.
 * @param presence - `required`: a missing file is a fault.
 * @returns Its object; null if there is no such file, and there needn't be.
 * @throws {@link StartError} `config`: missing, can't be read, not valid JSON, or no object.
 */
export function readObject(file: string, presence: 'required'): JsonObject;
export function readObject(file: string, presence: Presence): JsonObject | null;
export function readObject(file: string, presence: Presence): JsonObject | null {
  const value = read(file, presence);
  if (value === undefined) return null;
  if (isObject(value)) return value;
  throw unusable(file, 'must hold a JSON object');
}

/**
 * Reads a JSON file of a model that holds a list.
 *
 * @param file - Its path.
 * @returns Its items; null if there is no such file.
 * @throws {@link StartError} `config`: can't be read, not valid JSON, or no list.
 */
export function readList(file: string): readonly unknown[] | null {
  const value = read(file, 'optional');
  if (value === undefined) return null;
  if (Array.isArray(value)) return value as readonly unknown[];
  throw unusable(file, 'must hold a JSON list');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A value as text.
 *
 * @param value - Any value.
 * @returns The string, or null if it's none.
 */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * A value as a whole number.
 *
 * @param value - Any value.
 * @returns The number, or null if it's none.
 */
export function integer(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
