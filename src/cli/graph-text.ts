import type { SchemaPart } from '../schema/wording.ts';
import { expected } from '../schema/wording.ts';

/** The graph that is written. */
export interface GraphText {
  /** What clients would send as model. */
  readonly modelName: string;
  /** The file as config.yaml would name it. */
  readonly graphFile: string;
  /** The type of the node. */
  readonly type: string;
  /** JSON schema of its options. */
  readonly optionsSchema: SchemaPart;
  /** By option in snake_case; a dot leads into a nested option. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A graph file with every option of its node: those that are given as values, the others as comments with
 * their defaults. The same graph gives the same text.
 *
 * @param graph - What is in it.
 * @returns YAML.
 */
export function graphText(graph: GraphText): string {
  const { modelName, graphFile, type, optionsSchema, values } = graph;
  return [
    '# How one model is served. An option that is commented out has its default.',
    '# This entry in config.yaml serves it:',
    '#   models:',
    `#     - name: ${scalar(modelName)}`,
    `#       graph: ${scalar(graphFile)}`,
    'nodes:',
    `  - name: ${type.charAt(0).toUpperCase()}${type.slice(1)}Executor`,
    `    type: ${type}`,
    '    options:',
    ...optionLines({ schema: optionsSchema, key: '', depth: 3 }, values),
    '',
  ].join('\n');
}

/** An option, or all options, in the file. */
interface Place {
  readonly schema: SchemaPart;
  /** With a dot for each level; empty for all options. */
  readonly key: string;
  /** Indentation, in pairs of spaces. */
  readonly depth: number;
}

type Values = GraphText['values'];

function optionLines({ schema, key, depth }: Place, values: Values): readonly string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, SchemaPart>);
  return properties.flatMap(([name, part]) => {
    const place = { schema: part, key: key === '' ? name : `${key}.${name}`, depth };
    const lines = part['properties'] === undefined ? valueLines(place, values) : null;
    return [...description(place), ...(lines ?? nestedLines(place, values))];
  });
}

function description({ schema, depth }: Place): readonly string[] {
  const text = schema['description'];
  return typeof text === 'string' ? [`${indent(depth)}# ${text}`] : [];
}

function valueLines({ schema, key, depth }: Place, values: Values): readonly string[] {
  const name = key.split('.').at(-1) ?? key;
  if (Object.hasOwn(values, key)) return [`${indent(depth)}${name}: ${scalar(values[key])}`];
  const preset = schema['default'];
  const shown = preset === undefined ? `<${expected(schema)}>` : scalar(preset);
  return [`${indent(depth)}# ${name}: ${shown}`];
}

// A holder is only written as a value if something in it is.
function nestedLines(place: Place, values: Values): readonly string[] {
  const { key, depth } = place;
  const name = key.split('.').at(-1) ?? key;
  const inner = optionLines({ ...place, depth: depth + 1 }, values);
  const isGiven = Object.keys(values).some((given) => given.startsWith(`${key}.`));
  if (isGiven) return [`${indent(depth)}${name}:`, ...inner];
  const start = indent(depth);
  return [
    `${start}# ${name}:`,
    ...inner.map(
      (line) => `${start}# ${line.slice(start.length).replace(/^( *)# (?=\w+:)/, '$1')}`,
    ),
  ];
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

// Words and paths are plain, unless YAML has another meaning for them; JSON is YAML.
function scalar(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^(?:\.{1,2}|(?:\.{0,2}\/)*[A-Za-z_][\w./-]*)$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
