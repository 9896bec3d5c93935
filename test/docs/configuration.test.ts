import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { loadConfig } from '../../src/config/load.ts';
import { schemaFiles } from '../../src/config/schema-files.ts';
import { CONFIG_SCHEMA, graphSchema, SERVER_SCHEMA } from '../../src/config/schema.ts';
import { NODE_TYPES } from '../../src/graph/nodes/index.ts';
import { expected } from '../../src/schema/wording.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

interface Row {
  readonly key: string;
  readonly default: string;
  readonly allowed: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

/** Rows of the table after `<!-- name -->`, without its head. */
function rowsOnPage(name: string): readonly Row[] {
  const [, after = ''] = PAGE.split(`<!-- ${name} -->\n`);
  const [table = ''] = after.split(/\n(?!\|)/);
  const lines = table.split('\n').slice(2);
  return lines.map((line) => {
    const [, key = '', value = '', allowed = ''] = line.split('|').map((cell) => cell.trim());
    return { key: key.replaceAll('`', ''), default: value.replaceAll('`', ''), allowed };
  });
}

function defaultOf(schema: Schema, isRequired: boolean): string {
  const value = schema['default'];
  if (value === undefined) return isRequired ? 'required' : '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A row for each key of a schema, and for those inside. */
function rowsOf(schema: object, prefix = ''): readonly Row[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([name, inner]) => {
    const key = `${prefix}${name}`;
    const row = {
      key,
      default: defaultOf(inner, required.includes(name)),
      allowed: inner['format'] === 'path' ? 'a path' : expected(inner),
    };
    const items = inner.items ? rowsOf(inner.items, `${key}[].`) : [];
    return [row, ...rowsOf(inner, `${key}.`), ...items];
  });
}

function byKey(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((one, other) => (one.key < other.key ? -1 : 1));
}

describe('docs/configuration.md', () => {
  const config = rowsOf(CONFIG_SCHEMA).filter(({ key }) => !key.startsWith('server.'));
  const tables: [string, readonly Row[]][] = [
    ['config', config],
    ['server', rowsOf(SERVER_SCHEMA)],
    ['graph', rowsOf(graphSchema(NODE_TYPES))],
    ...NODE_TYPES.map(({ type, optionsSchema }): [string, readonly Row[]] => [
      `options ${type}`,
      rowsOf(optionsSchema),
    ]),
  ];

  test.each(tables)('has every key of %s with its default and what is allowed', (name, rows) => {
    expect(byKey(rowsOnPage(name))).toEqual(byKey(rows));
  });

  test('has no table for what there is not', () => {
    const names = Array.from(PAGE.matchAll(/^<!-- (.+) -->$/gm), ([, name]) => name);
    expect(names.sort()).toEqual(tables.map(([name]) => name).sort());
  });
});

test('the files at the top of docs/configuration.md are complete', () => {
  const folder = tempFolder();
  const files = PAGE.matchAll(/^```yaml\n# (.+)\n([^]*?)^```$/gm);
  for (const [, file = '', text = ''] of files) folder.write(file, text);
  for (const file of ['model.onnx', 'tokenizer.json']) {
    folder.write(`models/all-MiniLM-L6-v2/${file}`, '');
  }
  try {
    const overrides = { server: {}, node: {} };
    const { models } = loadConfig(join(folder.path, 'config.yaml'), {
      nodeTypes: NODE_TYPES,
      overrides,
    });
    expect(models).toHaveLength(1);
  } finally {
    folder.remove();
  }
});

describe('docs/schema/', () => {
  test.each([...schemaFiles(NODE_TYPES)])('%s is what the code says', (name, text) => {
    expect(readFileSync(join(ROOT, 'docs/schema', name), 'utf8')).toBe(text);
  });

  test.each([...schemaFiles(NODE_TYPES)])('%s is a JSON schema of draft 7', (_, text) => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(JSON.parse(text) as object) || ajv.errors).toBe(true);
  });
});
