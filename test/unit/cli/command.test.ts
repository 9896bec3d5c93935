import { commandOf, type Command } from '../../../src/cli/command.ts';
import { parseArgs } from '../../../src/cli/parse-args.ts';
import { thrown } from '../../support/thrown.ts';

function command(...args: string[]): Command {
  return commandOf(parseArgs(args));
}

const MODEL = ['--task', 'embeddings', '--model_name', 'm', '--model_path', 'models/m'];

describe('commandOf()', () => {
  test('serves the default config file unless told otherwise', () => {
    expect(command()).toEqual({
      kind: 'serve',
      source: { configPath: null },
      overrides: { server: {}, node: {} },
    });
  });

  test('serves a config file, with settings that flags override', () => {
    const flags = ['--config_path', 'c.yaml', '--rest_port', '9000', '--max_batch_size', '8'];
    expect(command(...flags)).toEqual({
      kind: 'serve',
      source: { configPath: 'c.yaml' },
      overrides: { server: { rest_port: 9000 }, node: { max_batch_size: 8 } },
    });
  });

  test('serves one model without a config file', () => {
    const options = ['--pooling', 'CLS', '--normalize', 'false', '--num_streams', '2'];
    expect(command(...MODEL, ...options, '--log_level', 'ERROR')).toEqual({
      kind: 'serve',
      source: { model: { task: 'embeddings', name: 'm', path: 'models/m' } },
      overrides: {
        server: { log_level: 'ERROR' },
        node: {
          models_path: 'models/m',
          pooling: 'CLS',
          normalize_embeddings: false,
          'session.num_streams': 2,
        },
      },
    });
  });

  test('writes a graph', () => {
    const flags = ['--task', 'embeddings', '--model_path', 'm', '--graph_path', 'g.yaml'];
    const written = {
      kind: 'generate-graph',
      model: { task: 'embeddings', name: null, path: 'm' },
      graphPath: 'g.yaml',
      overwrite: false,
      overrides: { server: {}, node: { models_path: 'm' } },
    };
    expect(command(...flags)).toEqual(written);
    expect(command(...flags, '--overwrite')).toEqual({ ...written, overwrite: true });
  });

  test('helps whatever else is there', () => {
    expect(command('--pooling', 'CLS', '--version', '--help')).toEqual({ kind: 'help' });
    expect(command('--version', '--rest_port', '1')).toEqual({ kind: 'version' });
    expect(command('--help=false')).toMatchObject({ kind: 'serve' });
  });

  const one = 'one model without a config file';
  test.each([
    [['--pooling', 'CLS'], `--pooling: needs --task, since it is about ${one}`],
    [
      ['--config_path', 'c', '--model_path', 'm'],
      `--model_path: needs --task, since it is about ${one}`,
    ],
    [['--graph_path', 'g'], `--graph_path: needs --task, since it is about ${one}`],
    [['--overwrite'], `--overwrite: needs --task, since it is about ${one}`],
    [
      [...MODEL, '--config_path', 'c'],
      `--config_path: cannot be used with --task, which is for ${one}`,
    ],
    [[...MODEL, '--overwrite'], '--overwrite: needs --graph_path, the file to write'],
    [
      [...MODEL, '--graph_path', 'g', '--rest_port', '1'],
      '--rest_port: cannot be used with --graph_path, which serves nothing',
    ],
    [
      ['--task', 'rerank', '--model_name', 'm', '--model_path', 'm', '--pooling', 'CLS'],
      '--pooling: cannot be used with --task rerank, only with embeddings',
    ],
    [
      ['--task', 'classify', '--model_path', 'm', '--graph_path', 'g', '--normalize', 'true'],
      '--normalize: cannot be used with --task classify, only with embeddings',
    ],
    [
      ['--task', 'embeddings', '--model_name', 'm'],
      "--task: needs --model_path, the model's folder",
    ],
    [
      ['--task', 'embeddings', '--model_path', 'm'],
      '--task: needs --model_name, what clients send as model',
    ],
  ])('refuses %j', (args, message) => {
    expect(thrown(() => command(...args))).toMatchObject({ fault: 'usage', message });
  });
});
