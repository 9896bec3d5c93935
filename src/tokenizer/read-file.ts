import { readFile } from 'node:fs/promises';
import { fileFault, StartError } from '../errors.ts';

/**
 * Reads a file of a tokenizer.
 *
 * @param file - Absolute path.
 * @returns Its text.
 * @throws {@link StartError} `config`: there is no such file, it cannot be read, or is not UTF-8.
 */
export async function readTokenizerFile(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw unusable(file, fileFault(error), error);
  }
}

/**
 * Parses a file of a tokenizer.
 *
 * @param file - Absolute path, named in errors.
 * @param text - What it holds.
 * @returns The JSON object in it.
 * @throws {@link StartError} `config`: it is no JSON, or no object.
 */
export function parseTokenizerFile(file: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unusable(file, `it is not JSON: ${(error as Error).message}`, error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unusable(file, 'it is JSON, but not an object');
  }
  return value as Record<string, unknown>;
}

/**
 * Parses a tokenizer.json and checks that it is one.
 *
 * @param file - Absolute path, named in errors.
 * @param text - What it holds.
 * @returns The JSON object in it.
 * @throws {@link StartError} `config`: it is no JSON, or describes no tokenizer.
 */
export function parseTokenizerJson(file: string, text: string): Readonly<Record<string, unknown>> {
  const json = parseTokenizerFile(file, text);
  const model = json['model'];
  if (typeof model !== 'object' || model === null || !('vocab' in model)) {
    throw unusable(file, 'it is JSON, but not a tokenizer.json: it has no "model" with a "vocab"');
  }
  return json;
}

/**
 * The error of a tokenizer that cannot be opened.
 *
 * @param file - Absolute path of the file at fault.
 * @param reason - Ends the sentence.
 * @param cause - The error of a library, if one led to this.
 * @returns A `config` fault.
 */
export function unusable(file: string, reason: string, cause?: unknown): StartError {
  return new StartError('config', `cannot use the tokenizer ${file}: ${reason}`, cause);
}
