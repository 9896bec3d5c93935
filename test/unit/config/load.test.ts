import { join, resolve } from 'node:path';
import { FLAG_NAMES } from '../../../src/cli/flags.ts';
import { loadConfig, type LoadOptions } from '../../../src/config/load.ts';
import { StartError } from '../../../src/errors.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CONFIG = 'models:\n  - name: m\n    graph: graphs/m.yaml\n';
const GRAPH = `nodes:
  - name: Executor
    type: embeddings
    options:
      models_path: ../models/m
      max_length: 64
      session:
        num_streams: 2
        config_entries: { session.some_entry: '1' }
`;

const folder = tempFolder();
const options: LoadOptions = {
  nodeTypes: NODE_TYPES,
  overrides: { server: {}, node: {} },
  flags: FLAG_NAMES,
  cwd: folder.path,
};

beforeEach(() => {
  folder.write('models/m/model.onnx', '');
  folder.write('models/m/tokenizer.json', '{}');
  folder.write('config.yaml', CONFIG);
  folder.write('graphs/m.yaml', GRAPH);
});
afterAll(folder.remove);

function faultOf(load: () => unknown): { readonly fault: string; readonly message: string } {
  try {
    load();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('loadConfig()', () => {
  test('fills in defaults, and resolves paths by the file that holds them', () => {
    expect(loadConfig('config.yaml', options)).toEqual({
      server: {
        restBindAddress: '127.0.0.1',
        restPort: 8000,
        drainDelayS: 0,
        graceS: 30,
        logLevel: 'INFO',
        metricsEnable: true,
      },
      models: [
        {
          name: 'm',
          node: {
            name: 'Executor',
            type: 'embeddings',
            options: {
              modelsPath: join(folder.path, 'models/m'),
              modelFile: 'model.onnx',
              tokenizer: { file: 'tokenizer.json', engine: 'tokenizers' },
              truncate: false,
              maxLength: 64,
              maxBatchSize: 1024,
              normalizeEmbeddings: true,
              session: expect.objectContaining({
                numStreams: 2,
                intraOpNumThreads: 'auto',
                configEntries: { 'session.some_entry': '1' },
              }) as unknown,
            },
            fault: expect.any(Function) as unknown,
          },
        },
      ],
    });
  });

  test('takes an address as it stands in a URL', () => {
    folder.write('config.yaml', `${CONFIG}server: { rest_bind_address: '[::1]' }\n`);
    expect(loadConfig('config.yaml', options).server.restBindAddress).toBe('::1');
  });

  test('gives the same from any folder', () => {
    const settings = loadConfig(join(folder.path, 'config.yaml'), { ...options, cwd: '/' });
    expect(JSON.stringify(settings)).toBe(JSON.stringify(loadConfig('config.yaml', options)));
  });

  test('loads the configuration of this repository', () => {
    const { models } = loadConfig(join(ROOT, 'config.yaml'), { ...options, cwd: '' });
    expect(models.map(({ name }) => name)).toEqual(['sentence-transformers/all-MiniLM-L6-v2']);
    expect(models[0]?.node.options).toMatchObject({ pooling: 'MEAN', maxLength: 512 });
  });

  test('freezes what it gives', () => {
    const { models } = loadConfig('config.yaml', options);
    expect(Object.isFrozen(models)).toBe(true);
    expect(Object.isFrozen(models[0]?.node.options)).toBe(true);
  });

  test.each(['constructor', '__proto__', 'toString', 'org/name', ' a ', '名前', '123'])(
    'takes the name %j',
    (name) => {
      folder.write('config.yaml', CONFIG.replace('name: m', `name: ${JSON.stringify(name)}`));
      expect(loadConfig('config.yaml', options).models[0]?.name).toBe(name);
    },
  );

  test('lets two names share a graph', () => {
    folder.write('config.yaml', `${CONFIG}  - name: n\n    graph: graphs/m.yaml\n`);
    expect(loadConfig('config.yaml', options).models.map(({ name }) => name)).toEqual(['m', 'n']);
  });
});

describe('loadConfig() with overrides', () => {
  test('lets flags beat the files, and the files the defaults', () => {
    folder.write('config.yaml', `server: {rest_port: 8001, grace_s: 5}\n${CONFIG}`);
    folder.write('graphs/m.yaml', `${GRAPH}      max_batch_size: 16\n`);
    const node = { max_batch_size: 8, 'session.num_streams': 'auto' };
    const overrides = { server: { rest_port: 9000 }, node };
    const { server, models } = loadConfig('config.yaml', { ...options, overrides });
    expect(server).toMatchObject({ restPort: 9000, graceS: 5, drainDelayS: 0 });
    expect(models[0]?.node.options).toMatchObject({
      maxBatchSize: 8,
      maxLength: 64,
      session: { numStreams: 'auto', configEntries: { 'session.some_entry': '1' } },
    });
  });

  test('resolves a path from a flag by the folder of the user', () => {
    const overrides = { server: {}, node: { models_path: 'models/m' } };
    const { models } = loadConfig('config.yaml', { ...options, overrides });
    expect(models[0]?.node.options).toMatchObject({ modelsPath: join(folder.path, 'models/m') });
  });

  test.each([
    [{ rest_port: 65_536 }, {}, '--rest_port: must be a whole number from 0 to 65535, not 65536'],
    [
      {},
      { max_batch_size: 0 },
      '--max_batch_size: must be a whole number from 1 to 4294967295, not 0',
    ],
    [
      {},
      { 'session.num_streams': 0 },
      '--num_streams: must be auto or a whole number from 1 to 1024, not 0',
    ],
    [{}, { models_path: 'absent' }, '--model_path: cannot use absent: no such file or folder'],
  ])('names the flag that is at fault: %j %j', (server, node, message) => {
    const overrides = { server, node };
    const fault = faultOf(() => loadConfig('config.yaml', { ...options, overrides }));
    expect(fault).toMatchObject({ fault: 'config', message });
  });
});

describe('the fault() of a node', () => {
  function messageOf(option: readonly string[], node: Record<string, unknown> = {}): string {
    const overrides = { server: {}, node };
    const { models } = loadConfig('config.yaml', { ...options, overrides });
    return models[0]?.node.fault(option, 'r').message ?? '';
  }

  test.each([
    [['max_length'], 'graphs/m.yaml:6: nodes[0].options.max_length: r'],
    [['session', 'num_streams'], 'graphs/m.yaml:8: nodes[0].options.session.num_streams: r'],
    [
      ['session', 'max_padded_tokens'],
      'graphs/m.yaml:7: nodes[0].options.session.max_padded_tokens: r',
    ],
    [['pooling'], 'graphs/m.yaml:4: nodes[0].options.pooling: r'],
    [[], 'graphs/m.yaml:4: nodes[0].options: r'],
  ])('locates %j', (option, message) => {
    expect(messageOf(option)).toBe(message);
  });

  test('names the flag of an option that a flag has set', () => {
    expect(messageOf(['max_length'], { max_length: 32 })).toBe('--max_length: r');
    expect(messageOf(['pooling'], { max_length: 32 })).toContain('graphs/m.yaml:4');
  });
});
