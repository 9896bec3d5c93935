import { FLAG_GROUPS, isBoolean, type Flag, type FlagGroup } from './flag.ts';
import { FLAGS } from './flags.ts';

const WIDTH = 98;
const INDENT = 30;

const INTRODUCTION = `tensorgate serves text-embedding models over HTTP.

Serve a config file:
  tensorgate [--config_path FILE] [flags]
Serve one model without a config file:
  tensorgate --task embeddings --model_name NAME --model_path DIR [flags]
Write a graph file for one model:
  tensorgate --task embeddings --model_path DIR --graph_path FILE [flags]
Manage the models of a config file:
  tensorgate --list_models | --add_to_config | --remove_from_config [flags]
Download a model from a hub:
  tensorgate --pull --source_model ORG/NAME --model_repository_path DIR [flags]
Embed many texts with a server, from and to files:
  tensorgate embed --help

A flag beats the file, and the file beats the default.
`;

/**
 * The text of `--help`: every flag with its default.
 *
 * @returns Lines of at most 98 characters, with a line break at the end.
 */
export function helpText(): string {
  const groups = Object.keys(FLAG_GROUPS) as FlagGroup[];
  return [INTRODUCTION, ...groups.map(groupText)].join('\n');
}

/**
 * How a flag is written, with its value.
 *
 * @param flag - A row of FLAGS.
 * @returns Such as `--rest_port PORT` or `--normalize [true|false]`.
 */
export function flagUsage({ name, value, schema }: Flag): string {
  if (value === '') return `--${name}`;
  return `--${name} ${isBoolean(schema) ? `[${value}]` : value}`;
}

/**
 * What holds without a flag.
 *
 * @param flag - A row of FLAGS.
 * @returns Such as `8000`, or an empty text where nothing does.
 */
export function flagDefault({ schema }: Flag): string {
  const preset = schema['default'];
  return typeof preset === 'string' ? preset : preset === undefined ? '' : JSON.stringify(preset);
}

function groupText(group: FlagGroup): string {
  const flags = FLAGS.filter((flag) => flag.group === group);
  return `${FLAG_GROUPS[group]}:\n${flags.map(flagText).join('')}`;
}

function flagText(flag: Flag): string {
  const left = `  ${flagUsage(flag)}`;
  const choices = flag.schema['enum'];
  const allowed = Array.isArray(choices) ? ` One of ${choices.join(', ')}.` : '';
  const preset = flagDefault(flag) === '' ? '' : ` Default: ${flagDefault(flag)}.`;
  const lines = wrapped(`${flag.help}${allowed}${preset}`, WIDTH - INDENT);
  const first = left.length < INDENT - 1 ? left.padEnd(INDENT) : `${left}\n${' '.repeat(INDENT)}`;
  return `${first}${lines.join(`\n${' '.repeat(INDENT)}`)}\n`;
}

function wrapped(text: string, width: number): readonly string[] {
  return Array.from(text.matchAll(new RegExp(`.{1,${width}}(?: |$)`, 'g')), ([line]) =>
    line.trimEnd(),
  );
}
