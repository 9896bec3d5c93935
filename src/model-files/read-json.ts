import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { StartError } from '../errors.ts';

/** An object of a JSON file, not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a JSON file of a model holds. */
export type ModelFile = JsonObject | readonly unknown[];

/** Codes of files that aren't there. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = 'unknown error' } = error as { readonly code?: string };
    if (ABSENT.has(code)) return null;
    throw new StartError('config', `${relative('', file)}: cannot read the file: ${code}`, error);
  }
}

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // The message may quote lines of the file.
    const message = (error as { readonly message: string }).message.replaceAll(/\s+/g, ' ');
    throw new StartError('config', `${relative('', file)}: not valid JSON: ${message}`, error);
  }
}

/**
 * Reads a JSON file of a model.
 *
 * @param file - Its path.
 * @returns Its object or list; null if there is no such file.
 * @throws {@link StartError} `config`: can't be read, not valid JSON, or neither object nor list.
 */
export function readJson(file: string): ModelFile | null {
  const bytes = bytesOf(file);
  if (bytes === null) return null;
  const value = parsed(file, bytes);
  if (typeof value === 'object' && value !== null) return value as ModelFile;
  throw new StartError('config', `${relative('', file)}: must hold a JSON object or list`);
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
