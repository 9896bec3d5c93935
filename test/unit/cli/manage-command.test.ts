import { manageCommandOf, type ManageCommand } from '../../../src/cli/manage-command.ts';
import { parseArgs } from '../../../src/cli/parse-args.ts';
import { thrown } from '../../support/thrown.ts';

function command(...args: string[]): ManageCommand | null {
  return manageCommandOf(parseArgs(args));
}

const PULL = ['--pull', '--source_model', 'org/m', '--model_repository_path', 'models'];
const ADD = ['--add_to_config', '--model_name', 'm'];

describe('manageCommandOf()', () => {
  test('has nothing to do without one of its switches', () => {
    expect(command('--rest_port', '9000')).toBeNull();
    expect(command('--pull=false')).toBeNull();
  });

  test('lists models', () => {
    expect(command('--list_models')).toEqual({ kind: 'list-models', configPath: null });
    expect(command('--list_models', '--config_path', 'c.yaml')).toEqual({
      kind: 'list-models',
      configPath: 'c.yaml',
    });
  });

  test('adds a model with a graph that is there', () => {
    expect(command(...ADD, '--graph_path', 'g.yaml')).toEqual({
      kind: 'add-to-config',
      configPath: null,
      name: 'm',
      graphPath: 'g.yaml',
      graph: null,
    });
  });

  test('adds a model with a graph to write', () => {
    const flags = ['--task', 'embeddings', '--model_path', 'dir', '--pooling', 'CLS'];
    expect(command(...ADD, ...flags, '--max_batch_size', '8', '--overwrite')).toEqual({
      kind: 'add-to-config',
      configPath: null,
      name: 'm',
      graphPath: null,
      graph: {
        task: 'embeddings',
        modelPath: 'dir',
        overwrite: true,
        overrides: {
          server: {},
          node: { models_path: 'dir', pooling: 'CLS', max_batch_size: 8 },
        },
      },
    });
  });

  test('removes a model', () => {
    const flags = ['--remove_from_config', '--model_name', 'm', '--config_path', 'c.yaml'];
    expect(command(...flags)).toEqual({
      kind: 'remove-from-config',
      configPath: 'c.yaml',
      name: 'm',
    });
  });

  test('downloads a model', () => {
    const pull = {
      kind: 'pull',
      source: 'org/m',
      repository: 'models',
      modelFile: 'onnx/model.onnx',
      task: 'embeddings',
      name: 'org/m',
      graphPath: null,
      overwrite: false,
      overrides: { server: {}, node: {} },
    };
    expect(command(...PULL)).toEqual(pull);
    const flags = ['--model_file', 'model.onnx', '--model_name', 'm', '--graph_path', 'g.yaml'];
    expect(command(...PULL, ...flags, '--truncate')).toEqual({
      ...pull,
      modelFile: 'model.onnx',
      name: 'm',
      graphPath: 'g.yaml',
      overrides: { server: {}, node: { model_file: 'model.onnx', truncate: true } },
    });
  });

  test.each([
    [['--source_model', 'a/b'], '--source_model: needs --pull, which downloads a model'],
    [['--list_models', '--pull'], '--pull: cannot be used with --list_models'],
    [['--list_models', '--rest_port', '1'], '--rest_port: cannot be used with --list_models'],
    [[...PULL, '--config_path', 'c'], '--config_path: cannot be used with --pull'],
    [[...PULL, '--model_path', 'c'], '--model_path: cannot be used with --pull'],
    [['--add_to_config'], '--add_to_config: needs --model_name'],
    [ADD, '--add_to_config: needs --graph_path, or --task and --model_path'],
    [[...ADD, '--model_path', 'd'], '--model_path: needs --task, what the model is for'],
    [[...ADD, '--task', 'embeddings'], "--task: needs --model_path, the model's folder"],
    [
      [...ADD, '--graph_path', 'g', '--pooling', 'CLS'],
      "--pooling: needs --model_path, the model's folder",
    ],
    [['--remove_from_config'], '--remove_from_config: needs --model_name'],
    [['--pull'], '--pull: needs --source_model'],
    [['--pull', '--source_model', 'a/b'], '--pull: needs --model_repository_path'],
  ])('refuses %j', (args, message) => {
    expect(thrown(() => command(...args))).toMatchObject({ fault: 'usage', message });
  });

  test.each(['m', '/m', 'a/b/c', '../m', 'a/..', 'a/b?c', 'a b/c', 'https://hub/a'])(
    'refuses %j as the model of a hub',
    (source) => {
      const flags = ['--pull', '--source_model', source, '--model_repository_path', 'models'];
      expect(thrown(() => command(...flags))).toMatchObject({
        fault: 'usage',
        message: `--source_model: must be ORG/NAME as on the hub, not ${JSON.stringify(source)}`,
      });
    },
  );

  test.each(['../m.onnx', '/m.onnx', 'onnx/../m.onnx', 'm.bin', '.onnx'])(
    'refuses %j as the ONNX file of a model',
    (file) => {
      expect(thrown(() => command(...PULL, '--model_file', file))).toMatchObject({
        fault: 'usage',
        message: `--model_file: must be a path to an .onnx file in the model, not ${JSON.stringify(file)}`,
      });
    },
  );
});
