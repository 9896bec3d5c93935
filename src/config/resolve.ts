import { resolve } from 'node:path';
import type { ValuePath } from './yaml.ts';

/** A JSON schema, as far as it says what becomes of keys and paths. */
interface Shape {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** Where a value stands. */
export interface Place {
  /** Keys in snake_case. */
  readonly path: ValuePath;
  /** The folder that a relative path resolves against. */
  readonly baseOf: (path: ValuePath) => string;
}

function camelCase(key: string): string {
  return key.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Makes settings of checked values: keys that the schema names become camelCase, and strings of
 * format `path` absolute. Keys of free-form objects stay as they are.
 *
 * @param value - Passed the schema.
 * @param schema - A JSON schema.
 * @param place - Where the value stands.
 * @returns A copy.
 */
export function resolveSettings(value: unknown, schema: object, place: Place): unknown {
  const { format, properties = {}, items = {} } = schema as Shape;
  function inside(key: string | number, inner: unknown, shape: object): unknown {
    return resolveSettings(inner, shape, { ...place, path: [...place.path, key] });
  }
  if (typeof value === 'string' && format === 'path') {
    return resolve(place.baseOf(place.path), value);
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => inside(index, item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => {
    const shape = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return [shape === undefined ? key : camelCase(key), inside(key, inner, shape ?? {})];
  });
  return Object.fromEntries(entries) as object;
}

/**
 * Freezes a value and all that is in it.
 *
 * @param value - Plain objects, arrays and functions; changed in place.
 * @returns The same value.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
