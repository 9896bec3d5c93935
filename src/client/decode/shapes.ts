import { badAnswer, type PerformanceClientError } from '../errors.ts';

/** A map of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Says that an answer isn't what it should be.
 *
 * @param what - Which part, and what it should be.
 * @returns An error of kind `serialization`.
 */
export function misshapen(what: string): PerformanceClientError {
  return badAnswer(`Failed to parse response: ${what}`);
}

/**
 * A map.
 *
 * @param value - What the answer, header or option holds.
 * @param where - Path of the value, for the message.
 * @returns The same value.
 * @throws {@link PerformanceClientError} if it is anything else.
 */
export function fieldsAt(value: unknown, where: string): Fields {
  const plain =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value);
  if (!plain) throw misshapen(`${where} must be a map`);
  return value as Fields;
}

/**
 * A list.
 *
 * @param value - What the answer, header or option holds.
 * @param where - Path of the value, for the message.
 * @returns The same value.
 * @throws {@link PerformanceClientError} if it is anything else.
 */
export function listAt(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw misshapen(`${where} must be a list`);
  return value;
}

/**
 * Checks that a value is a string.
 *
 * @param value - What the answer, header or option holds.
 * @param where - Path of the value, for the message.
 * @returns The same value.
 * @throws {@link PerformanceClientError} if it is anything else.
 */
export function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string') throw misshapen(`${where} must be text`);
  return value;
}

/**
 * A number.
 *
 * @param value - What the answer, header or option holds.
 * @param where - Path of the value, for the message.
 * @returns The value as a number.
 * @throws {@link PerformanceClientError} if it is anything else.
 */
export function numberAt(value: unknown, where: string): number {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number') throw misshapen(`${where} must be a number`);
  return value;
}

/**
 * A whole number from 0 to 2^32 − 1.
 *
 * @param value - What the answer, header or option holds.
 * @param where - Path of the value, for the message.
 * @returns The same value.
 * @throws {@link PerformanceClientError} if it isn't one.
 */
export function countAt(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    return value;
  }
  throw misshapen(`${where} must be a whole number from 0 to 4294967295`);
}

/**
 * Checks that indices are those of `count` inputs, each once.
 *
 * @param items - In the order of the answer.
 * @param count - Inputs that were sent.
 * @throws {@link PerformanceClientError} if not.
 */
export function checkIndices(items: readonly { readonly index: number }[], count: number): void {
  if (items.length !== count) throw misshapen(`expected ${count} items, got ${items.length}`);
  const seen = new Set(items.map(({ index }) => index));
  const wrong = items.find(({ index }) => index >= count);
  if (wrong) throw misshapen(`index ${wrong.index} is beyond the ${count} inputs`);
  if (seen.size !== count) throw misshapen('an index occurs twice');
}
