import { resolve } from 'node:path';
import { StartError } from '../errors.ts';
import { shownKeys, type Source } from './source.ts';
import type { ValuePath } from './yaml.ts';

/** Values by option in snake_case; a dot leads into a nested option, as `session.num_streams`. */
export type OptionValues = Readonly<Record<string, unknown>>;

/**
 * Flags, without dashes, by the setting that they give: `server.rest_port`, `options.session.num_streams`,
 * and `name` and `type` of a model that is served without files.
 */
export type FlagNames = ReadonlyMap<string, string>;

/** Where values come from that stand in no file. */
export interface FlagsFrom {
  /** The folder that the user is in, for relative paths; '' for that of the process. */
  readonly cwd: string;
  /** Empty where there is no command line: faults name the setting, then. */
  readonly flags: FlagNames;
}

/** Where flags go. */
export interface OverridesAt extends FlagsFrom {
  /** The object in the source that holds the options: `server` or the `options` of a node. */
  readonly at: ValuePath;
}

/** The setting whose flag stands for all options of a model that have none: they follow from its folder. */
const MODEL_SETTING = 'options.models_path';

// The flag of a setting or of what holds it, else that of the model, with the keys that lead on from there.
function placeOf(setting: ValuePath, flags: FlagNames): string {
  for (let length = setting.length; length > 0; length -= 1) {
    const flag = flags.get(setting.slice(0, length).join('.'));
    if (flag !== undefined) return shownPlace(flag, setting.slice(length));
  }
  const model = flags.get(MODEL_SETTING);
  return model === undefined ? shownKeys(setting) : shownPlace(model, setting.slice(1));
}

function shownPlace(flag: string, inside: ValuePath): string {
  return inside.length === 0 ? `--${flag}` : `--${flag}: ${shownKeys(inside)}`;
}

function flagFault(setting: ValuePath, reason: string, flags: FlagNames): StartError {
  return new StartError('config', `${placeOf(setting, flags)}: ${reason}`);
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
 * @param values - From flags.
 * @param where - The object that takes them, and where they come from.
 * @returns A source that has them, and whose faults name the flag where a flag is at fault.
 */
export function withOverrides(source: Source, values: OptionValues, where: OverridesAt): Source {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const paths = given.map(([option]): ValuePath => [...where.at, ...option.split('.')]);
  function isGiven(path: ValuePath): boolean {
    return paths.some((start) => startsWith(path, start));
  }
  return {
    values: given.reduce<unknown>(
      (holder, [, value], index) => withValue(holder, paths[index] ?? [], value),
      source.values,
    ),
    baseOf: (path) => (isGiven(path) ? resolve(where.cwd) : source.baseOf(path)),
    fault: (path, reason) =>
      isGiven(path)
        ? flagFault(path.slice(where.at.length - 1), reason, where.flags)
        : source.fault(path, reason),
  };
}

/**
 * Settings of which all come from flags: `name`, `server`, and `type` and `options` of `node`.
 *
 * @param values - Not checked yet.
 * @param from - Where they come from.
 * @returns A source whose faults name flags.
 */
export function flagSource(values: unknown, { cwd, flags }: FlagsFrom): Source {
  return {
    values,
    baseOf: () => resolve(cwd),
    fault: (path, reason) => flagFault(path[0] === 'node' ? path.slice(1) : path, reason, flags),
  };
}
