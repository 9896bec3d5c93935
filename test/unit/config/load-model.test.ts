import { join } from 'node:path';
import { FLAG_NAMES, FLAGS } from '../../../src/cli/flags.ts';
import { loadModel, type LoadOptions, type ModelFlags } from '../../../src/config/load.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const options: LoadOptions = {
  nodeTypes: NODE_TYPES,
  overrides: { server: {}, node: {} },
  flags: FLAG_NAMES,
  cwd: folder.path,
};
const model: ModelFlags = { name: 'm', type: 'embeddings', options: { models_path: 'models/m' } };

beforeAll(() => {
  folder.write('models/m/model.onnx', '');
  folder.write('models/m/tokenizer.json', '{}');
});
afterAll(folder.remove);

describe('loadModel()', () => {
  test('makes settings of flags', () => {
    const overrides = { server: { rest_port: 0 }, node: { max_batch_size: 8 } };
    const settings = loadModel(model, { ...options, overrides });
    expect(settings.server).toMatchObject({ restPort: 0, restBindAddress: '127.0.0.1' });
    expect(settings.models).toHaveLength(1);
    expect(settings.models[0]).toMatchObject({
      name: 'm',
      node: {
        type: 'embeddings',
        options: {
          modelsPath: join(folder.path, 'models/m'),
          modelFile: 'model.onnx',
          maxBatchSize: 8,
          session: { numStreams: 'auto' },
        },
      },
    });
    expect(Object.isFrozen(settings.models[0]?.node.options)).toBe(true);
  });

  test('leaves what it is given as it is', () => {
    loadModel(model, options);
    expect(model.options).toEqual({ models_path: 'models/m' });
  });

  test('names the flag in faults of the node', () => {
    const { models } = loadModel(model, options);
    expect(models[0]?.node.fault(['max_length'], 'r').message).toBe('--max_length: r');
    expect(models[0]?.node.fault(['models_path'], 'r').message).toBe('--model_path: r');
  });

  test.each([
    [{ name: '' }, '--model_name: must be a non-empty string, not ""'],
    [{ options: {} }, '--model_path: is required'],
    [
      { options: { models_path: 'absent' } },
      '--model_path: cannot use absent: no such file or folder',
    ],
    [
      { options: { models_path: '.' } },
      '--model_file: cannot use model.onnx: no such file or folder',
    ],
    [
      { options: { models_path: 'models/m', pooling: 'max' } },
      '--pooling: must be one of CLS, LAST, MEAN, not "max"',
    ],
  ])('refuses %j', (change, message) => {
    expect(() => loadModel({ ...model, ...change }, options)).toThrow(message);
  });

  test('refuses a task that there is not', () => {
    expect(() => loadModel({ ...model, type: 'sing' }, options)).toThrow(
      /^--task: must be one of embeddings.*, not "sing"$/,
    );
  });

  test('refuses a setting of the server', () => {
    const overrides = { server: { rest_port: -1 }, node: {} };
    expect(() => loadModel(model, { ...options, overrides })).toThrow(
      '--rest_port: must be a whole number from 0 to 65535, not -1',
    );
  });
});

describe('the faults of loadModel()', () => {
  interface Schema {
    readonly properties?: Readonly<Record<string, Schema>>;
  }
  function paths({ properties = {} }: Schema): readonly (readonly string[])[] {
    const inner = Object.entries(properties).flatMap(([key, schema]) =>
      paths(schema).map((path) => [key, ...path]),
    );
    return [[], ...inner];
  }
  const flags = FLAGS.map(({ name }) => `--${name}`);

  test.each(NODE_TYPES)('name a flag that there is, at every option of $type', (nodeType) => {
    const { models } = loadModel({ ...model, type: nodeType.type }, options);
    for (const path of paths(nodeType.optionsSchema)) {
      const [flag] = models[0]?.node.fault(path, 'r').message.split(': ') ?? [];
      expect(flags).toContain(flag);
    }
  });

  test.each([
    [['model_file'], '--model_file: r'],
    [['tokenizer', 'file'], '--model_path: tokenizer.file: r'],
    [['session', 'num_streams'], '--num_streams: r'],
    [['session'], '--model_path: session: r'],
    [['normalize_embeddings'], '--normalize: r'],
    [[], '--model_path: r'],
  ])('at %j say %s', (path, message) => {
    expect(loadModel(model, options).models[0]?.node.fault(path, 'r').message).toBe(message);
  });

  test('name settings where there is no command line', () => {
    const load = { ...options, flags: new Map() };
    const { models } = loadModel(model, load);
    expect(models[0]?.node.fault(['tokenizer', 'file'], 'r').message).toBe(
      'options.tokenizer.file: r',
    );
    expect(() => loadModel({ ...model, name: '' }, load)).toThrow(/^name: must be /);
    const overrides = { server: { rest_port: -1 }, node: {} };
    expect(() => loadModel(model, { ...load, overrides })).toThrow(/^server\.rest_port: must be /);
  });
});

describe('loadModel() of an address', () => {
  test.each([
    ['[::1]', '::1'],
    ['[fe80::1%lo]', 'fe80::1%lo'],
    ['::', '::'],
    ['127.0.0.1', '127.0.0.1'],
    ['[host]', '[host]'],
  ])('%s listens on %s', (given, address) => {
    const overrides = { server: { rest_bind_address: given }, node: {} };
    expect(loadModel(model, { ...options, overrides }).server.restBindAddress).toBe(address);
  });
});
