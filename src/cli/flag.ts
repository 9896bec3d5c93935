import { StartError } from '../errors.ts';
import { compileSchema } from '../schema/compile.ts';
import { actual, expected, type SchemaPart } from '../schema/wording.ts';

/** When a flag may be given, and the heading that help lists it under. */
export const FLAG_GROUPS = {
  /** To serve, with or without a config file. */
  serve: 'Serve',
  /** To serve, and to write a graph. */
  limits: 'Limits',
  /** With `--task`. */
  model: 'One model without a config file',
  /** With `--graph_path`. */
  graph: 'Write a graph file for one model',
  /** One of the switches in this group, with what it needs. */
  manage: 'Manage models',
  /** Always. */
  general: 'General',
} as const;

/** A key of {@link FLAG_GROUPS}. */
export type FlagGroup = keyof typeof FLAG_GROUPS;

/** A flag, as a row of FLAGS. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  readonly group: FlagGroup;
  /** What help calls the value; empty for a switch, which is seldom given one. */
  readonly value: string;
  /** What the flag takes; the schema of the setting, where it overrides one. */
  readonly schema: SchemaPart;
  /** A sentence. */
  readonly help: string;
  /** The setting that the flag overrides, named as in the file; absent: a command reads the flag. */
  readonly overrides?: FlagSetting;
  /** What it says of a model that is served without files; absent: nothing, or an option. */
  readonly model?: 'name' | 'type';
  /** Node types that take it; absent: all. */
  readonly tasks?: readonly string[];
}

/** A setting of a file. */
export interface FlagSetting {
  /** `server:` of the config file, or `options:` of nodes. */
  readonly part: 'server' | 'node';
  /** With a dot for each level: `session.num_streams`. */
  readonly key: string;
}

/** Values of the flags that were given, by name. */
export type FlagValues = ReadonlyMap<string, unknown>;

/** What was typed for a flag: the value, or what is wrong with it. */
export type FlagReading = { readonly value: unknown } | { readonly reason: string };

/**
 * Reads what was typed for a flag. Numbers are decimal digits without leading zeros, with a fraction where the
 * schema allows one.
 *
 * @param schema - What the flag takes.
 * @param text - As typed.
 * @returns The value, or what must be typed instead.
 */
export function readFlag(schema: SchemaPart, text: string): FlagReading {
  const value = valueOf(schema, text);
  const isAllowed = compileSchema(schema)(value) === null;
  if (isAllowed) return { value };
  return { reason: `must be ${expected(schema)}, not ${actual(value, true)}` };
}

/**
 * Whether a flag may stand alone, for `true`.
 *
 * @param schema - What the flag takes.
 * @returns True if it is true or false.
 */
export function isBoolean({ type }: SchemaPart): boolean {
  return type === 'boolean';
}

/**
 * An error for a command line that can't be understood.
 *
 * @param message - Begins with the flag.
 * @returns The error.
 */
export function usage(message: string): StartError {
  return new StartError('usage', message);
}

function valueOf(schema: SchemaPart, text: string): unknown {
  if (isBoolean(schema) && /^(?:true|false)$/.test(text)) return text === 'true';
  return isNumber(schema) && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function isNumber({ type, anyOf }: SchemaPart): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isNumber(branch as SchemaPart));
  return type === 'integer' || type === 'number';
}
