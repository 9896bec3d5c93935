import { join } from 'node:path';
import { loadModel, type LoadOptions, type ModelFlags } from '../../../src/config/load.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const options: LoadOptions = { nodeTypes: NODE_TYPES, overrides: { server: {}, node: {} } };
const model: ModelFlags = { name: 'm', type: 'embeddings', options: { models_path: 'models/m' } };

beforeAll(() => {
  folder.write('models/m/model.onnx', '');
  folder.write('models/m/tokenizer.json', '{}');
});
afterAll(folder.remove);

describe('loadModel()', () => {
  test('makes settings of flags', () => {
    const overrides = { server: { rest_port: 0 }, node: { max_batch_size: 8 } };
    const settings = loadModel(model, { ...options, overrides }, folder.path);
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

  test('takes the folder of the user from the options, too', () => {
    const { models } = loadModel(model, { ...options, cwd: folder.path });
    expect(models[0]?.node.options).toMatchObject({ modelsPath: join(folder.path, 'models/m') });
  });

  test('leaves what it is given as it is', () => {
    loadModel(model, options, folder.path);
    expect(model.options).toEqual({ models_path: 'models/m' });
  });

  test('names the flag in faults of the node', () => {
    const { models } = loadModel(model, options, folder.path);
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
    expect(() => loadModel({ ...model, ...change }, options, folder.path)).toThrow(message);
  });

  test('refuses a task that there is not', () => {
    expect(() => loadModel({ ...model, type: 'sing' }, options, folder.path)).toThrow(
      /^--task: must be one of embeddings.*, not "sing"$/,
    );
  });

  test('refuses a setting of the server', () => {
    const overrides = { server: { rest_port: -1 }, node: {} };
    expect(() => loadModel(model, { ...options, overrides }, folder.path)).toThrow(
      '--rest_port: must be a whole number from 0 to 65535, not -1',
    );
  });
});
