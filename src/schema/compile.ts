import { Ajv, type ErrorObject, type Options } from 'ajv';
import { closest } from './closest.ts';
import { actual, expected, type SchemaPart } from './wording.ts';

/** What is wrong with a value. */
export interface SchemaFault {
  /** Keys and indexes that lead to the place; empty for the value itself. */
  readonly path: readonly (string | number)[];
  /** To follow the path, as in `must be a string, not 123`. */
  readonly reason: string;
}

/** How a schema is compiled. */
export interface CompileOptions {
  /**
   * For files of the operator: defaults are filled into the value, all of it is looked at, so that a
   * misspelled key is named before the key that is missing for it, and reasons say what came, also behind
   * a `reason` of the schema.
   */
  readonly defaults?: boolean;
}

/** Own properties only: `constructor` and `__proto__` are keys like others. */
const COMMON: Options = {
  strictTypes: false,
  verbose: true,
  ownProperties: true,
  meta: false,
  validateSchema: false,
  formats: { path: true },
  keywords: ['reason'],
};
const BODIES = new Ajv(COMMON);
const FILES = new Ajv({ ...COMMON, allErrors: true, useDefaults: true });

/** Faults of these keywords read `must be <what is allowed>, not <what came>`. */
const COMPARED: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'oneOf'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]);

function isPart(value: unknown): value is SchemaPart {
  return typeof value === 'object' && value !== null;
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

// Ajv's JSON pointer as keys and indexes.
function pathOf(value: unknown, pointer: string): (string | number)[] {
  const path: (string | number)[] = [];
  let current = value;
  for (const segment of pointer.split('/').slice(1)) {
    const key = unescaped(segment);
    path.push(Array.isArray(current) ? Number(key) : key);
    current = (current as SchemaPart)[key];
  }
  return path;
}

/** Keywords of a schema whose value is one for what is inside. */
const INWARDS: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties']);

// The outermost `reason` on the way to a fault, and how deep in the value it stands.
function annotation(schema: object, schemaPath: string): { depth: number; reason: string } | null {
  let part: unknown = schema;
  let depth = 0;
  let isName = false;
  for (const segment of ['', ...schemaPath.split('/').slice(1)]) {
    const key = unescaped(decodeURIComponent(segment));
    if (segment !== '' && isPart(part)) part = part[key];
    if (!isPart(part)) return null;
    if (!isName && INWARDS.has(key)) depth += 1;
    isName = !isName && key === 'properties';
    if (!isName && typeof part['reason'] === 'string') return { depth, reason: part['reason'] };
  }
  return null;
}

function unknownKey(key: string, schema: SchemaPart): string {
  const allowed = Object.keys(isPart(schema['properties']) ? schema['properties'] : {});
  const meant = closest(key, allowed);
  const hint = meant === null ? '' : `, did you mean ${meant}`;
  return `unknown key${hint}; allowed: ${allowed.join(', ')}`;
}

function missing(key: string, { properties }: SchemaPart): string {
  const property = isPart(properties) ? properties[key] : null;
  const reason = isPart(property) ? property['reason'] : null;
  return typeof reason === 'string' ? `is required and ${reason}` : 'is required';
}

// The error that says most: none of a branch of `anyOf`, and unknown keys before missing ones.
function choose(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const told = errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && !choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/`)),
  );
  return told.find(({ keyword }) => keyword === 'additionalProperties') ?? told[0];
}

function reasonOf(
  { keyword, parentSchema = {}, data, message }: ErrorObject,
  quote: boolean,
): string {
  if (!COMPARED.has(keyword)) return message ?? keyword;
  const isChoice = keyword === 'enum' || keyword === 'const';
  return `must be ${expected(parentSchema)}, not ${actual(data, quote || isChoice)}`;
}

function faultOf(error: ErrorObject, path: (string | number)[], quote: boolean): SchemaFault {
  const { parentSchema = {}, params } = error as ErrorObject<string, Record<string, string>>;
  const { additionalProperty: extra, missingProperty: absent } = params;
  if (extra !== undefined)
    return { path: [...path, extra], reason: unknownKey(extra, parentSchema) };
  if (absent !== undefined)
    return { path: [...path, absent], reason: missing(absent, parentSchema) };
  return { path, reason: reasonOf(error, quote) };
}

/**
 * Compiles a JSON schema (draft 7) into a check.
 *
 * Beyond the draft, `format: path` marks strings that are paths, and `reason` is what is said of any
 * fault at or below its place, such as `must be a string or a non-empty array of strings`. Keys
 * of a value that a schema doesn't name are ignored, unless it has `additionalProperties: false`.
 *
 * @param schema - Not changed.
 * @param options - With `defaults`, the check writes defaults into the value that it's given.
 * @returns A function that gives the first fault of a value, or null.
 */
export function compileSchema(
  schema: object,
  { defaults = false }: CompileOptions = {},
): (value: unknown) => SchemaFault | null {
  const ajv = defaults ? FILES : BODIES;
  const validate = ajv.compile(schema);
  // The cache of compiled schemas would grow with each reload of the configuration.
  ajv.removeSchema(schema);
  return (value) => {
    if (validate(value)) return null;
    const error = choose(validate.errors ?? []);
    if (error === undefined) return { path: [], reason: 'is not valid' };
    const path = pathOf(value, error.instancePath);
    const note = annotation(schema, error.schemaPath);
    if (note === null) return faultOf(error, path, defaults);
    const isHere = note.depth === path.length && COMPARED.has(error.keyword);
    const not = defaults && isHere ? `, not ${actual(error.data, true)}` : '';
    return { path: path.slice(0, note.depth), reason: `${note.reason}${not}` };
  };
}
