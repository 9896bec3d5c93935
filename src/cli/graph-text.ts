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
 * A graph file with every option of its node: those that are given as they are, the others with their defaults
 * behind a `#`. The option, with the indentation of an inner one, follows the `#` at once, while words for
 * readers follow a `#` and one space; so every option can be uncommented, and the file still means the same.
 * The same graph gives the same text.
 *
 * @param graph - What is in it.
 * @returns YAML.
 */
export function graphText(graph: GraphText): string {
  const { modelName, graphFile, type, optionsSchema, values } = graph;
  return [
    '# How one model is served. An option right behind a # has its default; remove the # to change it.',
    '# This entry in the models of config.yaml serves it; the path starts from the folder of that file.',
    `# - { name: ${scalar(modelName)}, graph: ${scalar(graphFile)} }`,
    'nodes:',
    `  - name: ${type.charAt(0).toUpperCase()}${type.slice(1)}Executor`,
    `    type: ${type}`,
    '    options:',
    ...optionLines({ schema: optionsSchema, key: '' }, values).map(written),
    '',
  ].join('\n');
}

/** A line of the options. */
interface Line {
  /** `set`: an option that holds as it is; `preset`: one that is behind a #; `words`: for readers. */
  readonly kind: 'set' | 'preset' | 'words';
  /** Levels below the options, of the # too if there is one. */
  readonly depth: number;
  readonly text: string;
}

/** An option, or all options, in the file. */
interface Place {
  readonly schema: SchemaPart;
  /** With a dot for each level; empty for all options. */
  readonly key: string;
}

type Values = GraphText['values'];

function written({ kind, depth, text }: Line): string {
  return `${indent(depth + 3)}${kind === 'preset' ? '#' : ''}${text}`;
}

function optionLines({ schema, key }: Place, values: Values): readonly Line[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, SchemaPart>);
  return properties.flatMap(([name, part]) => {
    const place = { schema: part, key: key === '' ? name : `${key}.${name}` };
    const { description } = part;
    const above = typeof description === 'string' ? [words(description)] : [];
    const isHolder = part['properties'] !== undefined;
    return [...above, ...(isHolder ? holderLines : valueLines)(place, values)];
  });
}

function words(text: string): Line {
  return { kind: 'words', depth: 0, text: `# ${text}` };
}

function valueLines({ schema, key }: Place, values: Values): readonly Line[] {
  const name = key.split('.').at(-1) ?? key;
  if (Object.hasOwn(values, key)) {
    return [{ kind: 'set', depth: 0, text: `${name}: ${scalar(values[key])}` }];
  }
  const preset = schema['default'];
  if (preset === undefined) return [words(`${name}: ${expected(schema)}`)];
  return [{ kind: 'preset', depth: 0, text: `${name}: ${scalar(preset)}` }];
}

// A holder is set if something in it is; else all of it is behind the #, words for readers too.
function holderLines(place: Place, values: Values): readonly Line[] {
  const text = `${place.key.split('.').at(-1) ?? ''}:`;
  const inner = optionLines(place, values);
  if (Object.keys(values).some((given) => given.startsWith(`${place.key}.`))) {
    return [
      { kind: 'set', depth: 0, text },
      ...inner.map((line) => ({ ...line, depth: line.depth + 1 })),
    ];
  }
  return [
    { kind: 'preset', depth: 0, text },
    ...inner.map((line): Line => ({
      ...line,
      kind: 'preset',
      depth: 0,
      text: indent(line.depth + 1) + line.text,
    })),
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
