/// <reference lib="es2024.string" />
import { ServeError } from '../errors.ts';

const ALLOWED = 'must be a string or a non-empty list of strings';

/**
 * The texts of a request.
 *
 * Checked by hand, as a list may have a million items. Token ids are refused: those of another
 * vocabulary would give embeddings that are silently wrong.
 *
 * @param value - Of the field, as it came.
 * @param param - The field's name.
 * @returns One text for a string, else as many as the list has; lone surrogates replaced by U+FFFD.
 * @throws {@link ServeError} `invalid_field`: names the first item that isn't a string.
 */
export function textsOf(value: unknown, param: string): readonly string[] {
  if (typeof value === 'string') return [value.toWellFormed()];
  if (!Array.isArray(value) || value.length === 0) throw fault(param, `it is ${nameOf(value)}`);
  const items: readonly unknown[] = value;
  const texts: string[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const text = items[index];
    if (typeof text !== 'string') {
      throw fault(param, `item ${index} is ${nameOf(text)}${hintOf(text)}`);
    }
    texts.push(text.toWellFormed());
  }
  return texts;
}

function fault(param: string, found: string): ServeError {
  return new ServeError(
    'invalid_field',
    `Cannot use the field ${JSON.stringify(param)}: it ${ALLOWED}, and ${found}`,
    { param },
  );
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function hintOf(item: unknown): string {
  const isTokens = typeof item === 'number' || Array.isArray(item);
  return isTokens ? '; token ids are not supported, send the texts themselves' : '';
}
