import { graphText } from '../../../src/cli/graph-text.ts';

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
        streams: { enum: ['auto', 1], default: 'auto', description: 'Workers.' },
        entries: { type: 'object', default: {} },
      },
    },
  },
};

function text(values: Record<string, unknown>, modelName = 'org/m'): string {
  const graphFile = 'graphs/m.yaml';
  return graphText({ modelName, graphFile, type: 'embeddings', optionsSchema: SCHEMA, values });
}

describe('graphText()', () => {
  test('shows options that are not given as comments, with default or with what is allowed', () => {
    expect(text({ models_path: '../models/m' })).toBe(`\
# How one model is served. An option that is commented out has its default.
# This entry in config.yaml serves it:
#   models:
#     - name: org/m
#       graph: graphs/m.yaml
nodes:
  - name: EmbeddingsExecutor
    type: embeddings
    options:
      # Folder of the model.
      models_path: ../models/m
      # A size.
      # size: <a whole number from 1 to 8>
      # How it runs.
      # session:
      #   # Workers.
      #   streams: auto
      #   entries: {}
`);
  });

  test('writes what is given, also in an inner object', () => {
    const given = text({ models_path: '.', size: 8, 'session.streams': 1 });
    expect(given.split('\n').slice(9)).toEqual([
      '      # Folder of the model.',
      '      models_path: .',
      '      # A size.',
      '      size: 8',
      '      # How it runs.',
      '      session:',
      '        # Workers.',
      '        streams: 1',
      '        # entries: {}',
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
    expect(lines).toContain(`#     - name: ${written}`);
  });
});
