import { resolve } from 'node:path';
import { StartError } from '../errors.ts';
import type { Source } from './source.ts';
import type { ValuePath } from './yaml.ts';

/** Values from flags, by option; they beat what files say. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Where flags go. */
export interface OverridesAt {
  /** The object in the source that holds the options. */
  readonly at: ValuePath;
  /** The folder that the user is in, for relative paths; '' for that of the process. */
  readonly cwd: string;
}

/** Options whose flag has another name, as in the command line of OVMS. */
const FLAG_NAMES: ReadonlyMap<string, string> = new Map([
  ['name', 'model_name'],
  ['type', 'task'],
  ['models_path', 'model_path'],
  ['normalize_embeddings', 'normalize'],
]);

function flagOf(path: ValuePath): string {
  const option = String(path.at(-1));
  return `--${FLAG_NAMES.get(option) ?? option}`;
}

function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.every((key, index) => path[index] === key);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// A copy with the value put in. What can't hold it stays as it is, for the schema to refuse.
function withValue(holder: unknown, path: ValuePath, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    if (!Array.isArray(holder)) return holder;
    return holder.map((item: unknown, at) => (at === key ? withValue(item, rest, value) : item));
  }
  const object = holder ?? {};
  if (!isObject(object)) return holder;
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  return { ...object, [key]: withValue(inner, rest, value) };
}

/**
 * Puts flags over a source.
 *
 * @param source - Not changed.
 * @param flags - By option in snake_case; a dot leads into a nested option, as `session.num_streams`.
 * @param where - The object that takes them.
 * @returns A source that has them, and whose faults name the flag where a flag is at fault.
 */
export function withOverrides(source: Source, flags: FlagValues, where: OverridesAt): Source {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const paths = given.map(([option]): ValuePath => [...where.at, ...option.split('.')]);
  function isGiven(path: ValuePath): boolean {
    return paths.some((start) => startsWith(path, start));
  }
  return {
    values: given.reduce<unknown>(
      (values, [, value], index) => withValue(values, paths[index] ?? [], value),
      source.values,
    ),
    baseOf: (path) => (isGiven(path) ? resolve(where.cwd) : source.baseOf(path)),
    fault: (path, reason) =>
      isGiven(path)
        ? new StartError('config', `${flagOf(path)}: ${reason}`)
        : source.fault(path, reason),
  };
}

/**
 * Settings of which all come from flags.
 *
 * @param values - Not checked yet.
 * @param cwd - The folder that the user is in, for relative paths; '' for that of the process.
 * @returns A source whose faults name flags.
 */
export function flagSource(values: unknown, cwd: string): Source {
  return {
    values,
    baseOf: () => resolve(cwd),
    fault: (path, reason) => new StartError('config', `${flagOf(path)}: ${reason}`),
  };
}
