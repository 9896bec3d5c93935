/** A JSON schema, or a part of one, as read for wording. */
export type SchemaPart = Readonly<Record<string, unknown>>;

/** Characters of a value that are quoted. */
const QUOTED_LENGTH = 40;

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  const shown = text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : JSON.stringify(value);
}

function bare(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

// ` from 1 to 8`, ` of at least 1`, ` of at most 8`, or nothing.
function range({ minimum, maximum }: SchemaPart): string {
  if (minimum !== undefined && maximum !== undefined) {
    return ` from ${bare(minimum)} to ${bare(maximum)}`;
  }
  if (minimum !== undefined) return ` of at least ${bare(minimum)}`;
  return maximum === undefined ? '' : ` of at most ${bare(maximum)}`;
}

// `a non-empty list`, `a list of exactly 1 item`, `a string of at most 8 characters`.
function sized(noun: string, unit: string, [min, max]: readonly [unknown, unknown]): string {
  const least = typeof min === 'number' ? min : 0;
  if (typeof max !== 'number') {
    if (least > 1) return `a ${noun} of at least ${counted(least, unit)}`;
    return least === 1 ? `a non-empty ${noun}` : `a ${noun}`;
  }
  if (least === max) return `a ${noun} of exactly ${counted(max, unit)}`;
  return least > 0
    ? `a ${noun} of ${least} to ${counted(max, unit)}`
    : `a ${noun} of at most ${counted(max, unit)}`;
}

const NOUNS: ReadonlyMap<unknown, (schema: SchemaPart) => string> = new Map([
  [
    'string',
    (part: SchemaPart) => sized('string', 'character', [part['minLength'], part['maxLength']]),
  ],
  ['array', (part: SchemaPart) => sized('list', 'item', [part['minItems'], part['maxItems']])],
  ['integer', (part: SchemaPart) => `a whole number${range(part)}`],
  ['number', (part: SchemaPart) => `a number${range(part)}`],
  ['boolean', () => 'true or false'],
  ['object', () => 'an object'],
  ['null', () => 'null'],
]);

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/**
 * What a schema allows, to follow "must be".
 *
 * @param schema - With `const`, `enum`, `anyOf`, `oneOf` or `type`.
 * @returns Such as `a whole number from 1 to 8` or `one of CLS, LAST, MEAN`.
 */
export function expected(schema: SchemaPart): string {
  const { const: only, enum: values, anyOf, oneOf, type } = schema;
  if (only !== undefined) return bare(only);
  if (values !== undefined) return `one of ${list(values).map(bare).join(', ')}`;
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) {
    return list(branches)
      .map((branch) => expected(branch as SchemaPart))
      .join(' or ');
  }
  const nouns = list(type).map((name) => NOUNS.get(name)?.(schema) ?? 'something else');
  return nouns.join(' or ');
}

/**
 * What came instead, to follow "not".
 *
 * @param value - Any value.
 * @param quote - Whether a string is quoted, cut to 40 characters, or only called one.
 * @returns Such as `123`, `"max"`, `a string` or `a list of 2 items`.
 */
export function actual(value: unknown, quote: boolean): string {
  if (typeof value === 'string') {
    if (quote) return quoted(value);
    return value === '' ? 'an empty string' : 'a string';
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? 'an empty list' : `a list of ${counted(value.length, 'item')}`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
