import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { commandOf } from '../../../src/cli/command.ts';
import {
  addToConfig,
  removeFromConfig,
  type AddToConfig,
  type RemoveFromConfig,
} from '../../../src/cli/edit-config.ts';
import { listModels, type ListModels } from '../../../src/cli/list-models.ts';
import { parseArgs } from '../../../src/cli/parse-args.ts';
import { recordingHost } from '../../support/recording-host.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { thrown } from '../../support/thrown.ts';

const MODEL = resolve(import.meta.dirname, '../../fixtures/tiny-bert-embeddings');
const CONFIG = [
  '# our models',
  'server:',
  '  rest_port:   9000   # behind the proxy',
  'models:',
  '  # the first',
  "  - name: 'a'   # as clients call it",
  '    graph: a.yaml',
  '  # the second',
  '  - name: b',
  '    graph: a.yaml',
  '',
].join('\n');

let folder: TempFolder;
let config: string;

beforeEach(() => {
  folder = tempFolder();
  config = join(folder.path, 'config.yaml');
  folder.write('config.yaml', CONFIG);
  folder.write('a.yaml', `nodes: [{ type: embeddings, options: { models_path: ${MODEL} } }]\n`);
});

afterEach(() => {
  // Whatever happens, nothing is left beside the files.
  const left = readdirSync(folder.path).filter((name) => name.startsWith('.'));
  folder.remove();
  expect(left).toEqual([]);
});

function command(...flags: string[]): unknown {
  return commandOf(parseArgs([...flags, '--config_path', config]));
}

function add(...flags: string[]): string {
  const host = recordingHost();
  addToConfig(command('--add_to_config', '--model_name', ...flags) as AddToConfig, host);
  return host.stdout();
}

function remove(name: string): string {
  const host = recordingHost();
  const flags = ['--remove_from_config', '--model_name', name];
  removeFromConfig(command(...flags) as RemoveFromConfig, host);
  return host.stdout();
}

function written(): string {
  return readFileSync(config, 'utf8');
}

describe('addToConfig()', () => {
  test('adds a model whose graph is there, and leaves all else as it was', () => {
    expect(add('c', '--graph_path', join(folder.path, 'a.yaml'))).toBe(`Added c to ${config}\n`);
    expect(written()).toBe(`${CONFIG}  - name: c\n    graph: a.yaml\n`);
  });

  test('writes the graph of a model first', () => {
    const graph = join(folder.path, 'graphs/tiny.yaml');
    const said = add('org/tiny', '--task', 'embeddings', '--model_path', MODEL, '--pooling', 'CLS');
    expect(said).toBe(`Wrote ${graph}\nAdded org/tiny to ${config}\n`);
    expect(written()).toBe(`${CONFIG}  - name: org/tiny\n    graph: graphs/tiny.yaml\n`);
    expect(readFileSync(graph, 'utf8')).toContain('      pooling: CLS\n');
  });

  test('makes a config file where there is none', () => {
    config = join(folder.path, 'new.yaml');
    add('c', '--graph_path', join(folder.path, 'a.yaml'));
    expect(written()).toBe('models:\n  - name: c\n    graph: a.yaml\n');
  });

  test('keeps the permissions of the file, and a link to it', () => {
    chmodSync(config, 0o640);
    const link = join(folder.path, 'link.yaml');
    symlinkSync('config.yaml', link);
    config = link;
    add('c', '--graph_path', join(folder.path, 'a.yaml'));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const target = join(folder.path, 'config.yaml');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, 'utf8')).toContain('- name: c\n');
  });

  test('refuses a name that is there', () => {
    const graph = ['--task', 'embeddings', '--model_path', MODEL];
    expect(thrown(() => add('a', ...graph))).toMatchObject({
      fault: 'usage',
      message: `--model_name: "a" is already a model of ${config}`,
    });
    expect(written()).toBe(CONFIG);
    expect(existsSync(join(folder.path, 'graphs'))).toBe(false);
  });

  test('refuses a graph that a server would not start with', () => {
    folder.write('bad.yaml', 'nodes: []\n');
    const file = join(folder.path, 'bad.yaml');
    expect(thrown(() => add('c', '--graph_path', file))).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(
        /bad\.yaml:1: nodes: must be a list of exactly 1 item/,
      ) as string,
    });
    expect(written()).toBe(CONFIG);
  });

  test('refuses a graph whose model takes less than it says', () => {
    const options = `{ models_path: ${MODEL}, max_length: 129 }`;
    folder.write('bad.yaml', `nodes:\n- type: embeddings\n  options: ${options}\n`);
    expect(thrown(() => add('c', '--graph_path', join(folder.path, 'bad.yaml')))).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(
        /bad\.yaml:3: nodes\[0\]\.options\.max_length: must be at most 128, /,
      ) as string,
    });
    expect(written()).toBe(CONFIG);
  });

  test('takes back the graph that it has written when the file is refused', () => {
    folder.write('config.yaml', `${CONFIG}surprise: 1\n`);
    const graph = ['--task', 'embeddings', '--model_path', MODEL];
    expect(thrown(() => add('c', ...graph))).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(/config\.yaml:\d+: surprise: unknown key/) as string,
    });
    expect(written()).toBe(`${CONFIG}surprise: 1\n`);
    expect(existsSync(join(folder.path, 'graphs'))).toBe(false);
  });

  test('puts the graph that it has replaced back when the file is refused', () => {
    folder.write('config.yaml', `${CONFIG}surprise: 1\n`);
    folder.write('graphs/c.yaml', '# mine\n');
    const graph = ['--task', 'embeddings', '--model_path', MODEL, '--overwrite'];
    expect(thrown(() => add('c', ...graph))).toMatchObject({ fault: 'config' });
    expect(readFileSync(join(folder.path, 'graphs/c.yaml'), 'utf8')).toBe('# mine\n');
  });

  test('leaves a graph that is there alone', () => {
    folder.write('graphs/c.yaml', '# mine\n');
    const graph = ['--task', 'embeddings', '--model_path', MODEL];
    expect(thrown(() => add('c', ...graph))).toMatchObject({
      fault: 'usage',
      message: expect.stringMatching(/exists already, and only --overwrite replaces it$/) as string,
    });
    expect(written()).toBe(CONFIG);
  });

  test.each([
    ['not YAML', 'models: [', /config\.yaml:1: not valid YAML/],
    [
      'bytes that are not UTF-8',
      Uint8Array.of(0x61, 0xff),
      /config\.yaml:1: the text is not UTF-8/,
    ],
    ['no list of models', 'models: 1\n', /config\.yaml:1: models: must be a list of models$/],
  ])('refuses a file that has %s', (_, content, message) => {
    folder.write('config.yaml', content);
    expect(thrown(() => add('c', '--graph_path', 'a.yaml'))).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('removeFromConfig()', () => {
  test('removes a model, and leaves all else as it was', () => {
    expect(remove('b')).toBe(`Removed b from ${config}\n`);
    expect(written()).toBe(CONFIG.replace('  - name: b\n    graph: a.yaml\n', ''));
    expect(existsSync(join(folder.path, 'a.yaml'))).toBe(true);
  });

  test('removes a model that cannot be served any more', () => {
    folder.write(
      'config.yaml',
      CONFIG.replace('- name: b\n    graph: a', '- name: b\n    graph: z'),
    );
    remove('b');
    expect(written()).not.toContain('z.yaml');
  });

  test('names the models that there are', () => {
    expect(thrown(() => remove('c'))).toMatchObject({
      fault: 'usage',
      message: `--model_name: ${config} has no model "c", only a, b`,
    });
    expect(written()).toBe(CONFIG);
  });

  test('leaves the last model', () => {
    remove('b');
    expect(thrown(() => remove('a'))).toMatchObject({
      fault: 'usage',
      message: `--model_name: ${config} has no model but "a", and needs one`,
    });
  });

  test('needs a file', () => {
    config = join(folder.path, 'none.yaml');
    expect(thrown(() => remove('a'))).toMatchObject({
      fault: 'config',
      message: `${config}: cannot read the file: no such file or folder`,
    });
  });
});

describe('listModels()', () => {
  test('has a line for each model', () => {
    const host = recordingHost();
    expect(listModels(command('--list_models') as ListModels, host)).toBe(0);
    const shown = 'test/fixtures/tiny-bert-embeddings';
    expect(host.stdout()).toBe(`a: embeddings, ${shown}\nb: embeddings, ${shown}\n`);
  });
});
