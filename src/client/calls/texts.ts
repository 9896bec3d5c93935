import { invalid } from '../errors.ts';

/**
 * Checks a list of texts: not empty, and of texts alone.
 *
 * @param texts - What the user gave.
 * @param label - How the messages call it, as in `Input`.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` if it is anything else.
 */
export function checkTexts(texts: unknown, label: string): asserts texts is string[] {
  if (!Array.isArray(texts)) throw invalid(`${label} must be a list of strings`);
  if (texts.length === 0) throw invalid(`${label} list cannot be empty`);
  const wrong = texts.findIndex((text) => typeof text !== 'string');
  if (wrong >= 0) {
    const type = texts[wrong] === null ? 'null' : typeof texts[wrong];
    throw invalid(`${label} must be a list of strings: the item at index ${wrong} is ${type}`);
  }
}
