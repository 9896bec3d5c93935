import { parseArgs as tokenize } from 'node:util';
import { closest } from '../schema/closest.ts';
import { expected } from '../schema/wording.ts';
import { isBoolean, readFlag, usage, type Flag, type FlagValues } from './flag.ts';
import { FLAGS } from './flags.ts';

type Token = ReturnType<typeof tokens>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/**
 * Reads the flags of a command line: `--flag value` or `--flag=value`; one that is true or false may
 * stand alone for true.
 *
 * @param args - Without program and script.
 * @returns The values of the flags that were given, each allowed by its schema.
 * @throws `StartError` `usage`: an unknown, repeated or wrong flag, or what is no flag.
 */
export function parseArgs(args: readonly string[]): FlagValues {
  const values = new Map<string, unknown>();
  const rest = tokens(args);
  while (rest.length > 0) {
    const { flag, text } = takeFlag(rest, args);
    if (values.has(flag.name)) throw usage(`--${flag.name}: is given twice, and one value counts`);
    const reading = readFlag(flag.schema, text);
    if ('reason' in reading) throw usage(`--${flag.name}: ${reading.reason}`);
    values.set(flag.name, reading.value);
  }
  return values;
}

// Cuts arguments into flags and the rest; what they mean is decided below.
function tokens(args: readonly string[]) {
  const options = FLAGS.map(({ name, schema }) => {
    return [name, { type: isBoolean(schema) ? 'boolean' : 'string' }] as const;
  });
  return tokenize({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

function takeFlag(rest: Token[], args: readonly string[]): { flag: Flag; text: string } {
  const token = rest.shift();
  if (token?.kind !== 'option') {
    const text = token?.kind === 'positional' ? token.value : '--';
    throw usage(`Unexpected argument ${JSON.stringify(text)}: settings are flags, see --help`);
  }
  const flag = flagOf(token, args);
  return { flag, text: isBoolean(flag.schema) ? booleanText(token, rest) : textOf(flag, token) };
}

function flagOf(token: OptionToken, args: readonly string[]): Flag {
  const flag = FLAGS.find(({ name }) => name === token.name);
  if (flag !== undefined && token.rawName === `--${flag.name}`) return flag;
  const [typed = ''] = (args[token.index] ?? token.rawName).split('=');
  const names = FLAGS.map(({ name }) => name);
  const meant = closest(typed.replace(/^-+/, ''), names);
  const hint = meant === null ? 'see --help' : `did you mean --${meant}?`;
  throw usage(`Unknown flag ${JSON.stringify(typed).slice(1, -1)}: ${hint}`);
}

// A word behind a flag that is true or false belongs to it.
function booleanText(token: OptionToken, rest: Token[]): string {
  const [next] = rest;
  if (token.value !== undefined || next?.kind !== 'positional') return token.value ?? 'true';
  rest.shift();
  return next.value;
}

// Another flag in place of a value means that the value was forgotten.
function textOf({ name, schema }: Flag, { value, inlineValue }: OptionToken): string {
  if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw usage(`--${name}: needs a value, ${expected(schema)}`);
  }
  return value;
}
