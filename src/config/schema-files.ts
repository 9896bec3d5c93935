import { CONFIG_SCHEMA, graphSchema, type NodeTypeSchema } from './schema.ts';

/** Columns of a line, as everywhere in the repository. */
const LINE_LENGTH = 100;

// What only our own checks read is left out.
function published(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { reason, ...schema } = value as Record<string, unknown>;
  return typeof reason === 'string' ? schema : value;
}

const PLAIN_LIST = /^(?<start>.*)\[\n(?<items>[^[\]{}]*?)\n *\](?<end>,?)$/gm;

// Lists of plain values go on one line where they fit, as Prettier has it.
function formatted(schema: object): string {
  const text = JSON.stringify(schema, published, 2);
  return text.replaceAll(PLAIN_LIST, (...match: unknown[]) => {
    const { start = '', items = '', end = '' } = match.at(-1) as Record<string, string>;
    const line = `${start}[${items.trim().replaceAll(/\n */g, ' ')}]${end}`;
    return line.length > LINE_LENGTH ? String(match[0]) : line;
  });
}

/**
 * The JSON schemas that editors complete and check configuration files with.
 *
 * @param nodeTypes - The kinds of nodes that there are.
 * @returns The text of each file, by its name in docs/schema/.
 */
export function schemaFiles(nodeTypes: readonly NodeTypeSchema[]): ReadonlyMap<string, string> {
  return new Map([
    ['config.schema.json', `${formatted(CONFIG_SCHEMA)}\n`],
    ['graph.schema.json', `${formatted(graphSchema(nodeTypes))}\n`],
  ]);
}
