import { ServeError } from '../errors.ts';
import { actual } from '../schema/wording.ts';

/** What the items of a list may be. */
export interface ItemKind<T> {
  /** What is allowed, to follow "must be". */
  readonly allowed: string;
  /** The item as it's used, or null if it's none. */
  readonly read: (item: unknown) => T | null;
}

/**
 * Reads a list of a body by hand, as it may have a million items.
 *
 * @param value - Of the field, as it came.
 * @param param - The field's name.
 * @param kind - What its items may be.
 * @returns As many as the list has, at least one.
 * @throws {@link ServeError} `invalid_field`: names the first item that isn't allowed.
 */
export function itemsOf<T>(value: unknown, param: string, kind: ItemKind<T>): readonly T[] {
  if (!Array.isArray(value) || value.length === 0) {
    const found = value === undefined || value === null ? 'missing' : actual(value, false);
    throw fault(param, kind.allowed, `it is ${found}`);
  }
  return value.map((given: unknown, index) => {
    const item = kind.read(given);
    if (item !== null) return item;
    throw fault(param, kind.allowed, `item ${index} is ${actual(given, false)}`);
  });
}

function fault(param: string, allowed: string, found: string): ServeError {
  return new ServeError(
    'invalid_field',
    `Cannot use the field ${JSON.stringify(param)}: it must be ${allowed}, and ${found}`,
    { param },
  );
}
