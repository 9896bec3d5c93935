import { resolve } from 'node:path';
import { graphText } from '../../../src/cli/graph-text.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { parseYaml } from '../../../src/config/yaml.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const TINY = resolve(import.meta.dirname, '../../fixtures/tiny-bert-embeddings');

const folder = tempFolder();
afterAll(folder.remove);

/** The settings of a config file with a graph. */
function loadConfigOf(graph: string): Settings {
  folder.write('config.yaml', 'models: [{ name: m, graph: g.yaml }]');
  folder.write('g.yaml', graph);
  const overrides = { server: {}, node: {} };
  return loadConfig('config.yaml', { nodeTypes: NODE_TYPES, overrides, cwd: folder.path });
}

const SCHEMA = {
  type: 'object',
  properties: {
    models_path: { type: 'string', description: 'Folder of the model.' },
    size: { type: 'integer', minimum: 1, maximum: 8, description: 'A size.' },
    session: {
      type: 'object',
      default: {},
      description: 'How it runs.',
      properties: {
        streams: { enum: ['auto', 1], default: 'auto', description: 'Workers: one or many.' },
        entries: { type: 'object', default: {} },
        inner: {
          type: 'object',
          properties: { deep: { type: 'boolean' }, deeper: { type: 'integer', default: 1 } },
        },
      },
    },
  },
};

function text(values: Record<string, unknown>, modelName = 'org/m'): string {
  const graphFile = 'graphs/m.yaml';
  return graphText({ modelName, graphFile, type: 'embeddings', optionsSchema: SCHEMA, values });
}

/** Removes each # that an option is behind. */
function uncommented(graph: string): string {
  return graph.replaceAll(/^( *)#(?! \S)/gm, '$1');
}

/** What a schema presets, all the way down. */
function presets({ properties = {} }: Schema): Record<string, unknown> {
  const entries = Object.entries(properties)
    .map(([key, schema]) => [key, schema.properties ? presets(schema) : schema.default])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

describe('graphText()', () => {
  test.each(NODE_TYPES)('means the same with every option of $type uncommented', (nodeType) => {
    const graph = graphText({
      modelName: 'm',
      graphFile: 'g.yaml',
      type: nodeType.type,
      optionsSchema: nodeType.optionsSchema as Record<string, unknown>,
      values: { models_path: TINY },
    });
    const { values, fault } = parseYaml(uncommented(graph));
    expect(fault).toBeNull();
    const { nodes } = values as { nodes: [{ options: object }] };
    expect(nodes[0].options).toEqual({ models_path: TINY, ...presets(nodeType.optionsSchema) });
    const { models } = loadConfigOf(uncommented(graph));
    expect(models[0]?.node.options).toEqual(loadConfigOf(graph).models[0]?.node.options);
  });

  test('can be uncommented where an inner option is given', () => {
    const { values } = parseYaml(uncommented(text({ 'session.streams': 1 })));
    expect(values).toMatchObject({
      nodes: [{ options: { session: { streams: 1, entries: {}, inner: { deeper: 1 } } } }],
    });
  });

  test('shows options that are not given behind a #, or in words if they have no default', () => {
    expect(text({ models_path: '../models/m' })).toBe(`\
# How one model is served. An option right behind a # has its default; remove the # to change it.
# This entry in the models of config.yaml serves it; the path starts from the folder of that file.
# - { name: org/m, graph: graphs/m.yaml }
nodes:
  - name: EmbeddingsExecutor
    type: embeddings
    options:
      # Folder of the model.
      models_path: ../models/m
      # A size.
      # size: a whole number from 1 to 8
      # How it runs.
      #session:
      #  # Workers: one or many.
      #  streams: auto
      #  entries: {}
      #  inner:
      #    # deep: true or false
      #    deeper: 1
`);
  });

  test('writes what is given, also in an inner object', () => {
    const given = text({ models_path: '.', size: 8, 'session.streams': 1 });
    expect(given.split('\n').slice(7)).toEqual([
      '      # Folder of the model.',
      '      models_path: .',
      '      # A size.',
      '      size: 8',
      '      # How it runs.',
      '      session:',
      '        # Workers: one or many.',
      '        streams: 1',
      '        #entries: {}',
      '        #inner:',
      '        #  # deep: true or false',
      '        #  deeper: 1',
      '',
    ]);
  });

  test.each([
    ['a b', '"a b"'],
    ['true', '"true"'],
    ['No', '"No"'],
    ['123', '"123"'],
    ['0x10', '"0x10"'],
    ['it\'s "x": #1', '"it\'s \\"x\\": #1"'],
    ['a\nb', '"a\\nb"'],
    ['- x', '"- x"'],
    ['C:/models', '"C:/models"'],
    ['..', '..'],
    ['../../m', '../../m'],
    ['/srv/m_1.x', '/srv/m_1.x'],
    ['m-1', 'm-1'],
  ])('writes %j so that it stays a string', (path, written) => {
    const lines = text({ models_path: path }, path).split('\n');
    expect(lines).toContain(`      models_path: ${written}`);
    expect(lines).toContain(`# - { name: ${written}, graph: graphs/m.yaml }`);
  });
});
