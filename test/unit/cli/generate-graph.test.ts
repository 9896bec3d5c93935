import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { commandOf } from '../../../src/cli/command.ts';
import { generateGraph, writeGraph, type GenerateGraph } from '../../../src/cli/generate-graph.ts';
import { parseArgs } from '../../../src/cli/parse-args.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { recordingHost } from '../../support/recording-host.ts';
import { thrown } from '../../support/thrown.ts';

const MODEL = resolve(import.meta.dirname, '../../fixtures/tiny-bert-embeddings');
const folder = mkdtempSync(join(tmpdir(), 'generate-graph-'));
const graph = join(folder, 'graph.yaml');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  rmSync(graph, { force: true });
});

/** Runs the command; gives what it says. */
function generate(...flags: string[]): string {
  const args = ['--task', 'embeddings', '--model_path', MODEL, '--graph_path', graph, ...flags];
  // Of a flag that is given twice the last counts.
  const last = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) last.set(args[at] ?? '', args[at + 1] ?? 'true');
  const command = commandOf(parseArgs([...last].map(([flag, value]) => `${flag}=${value}`)));
  const host = recordingHost();
  expect(generateGraph(command as GenerateGraph, host)).toBe(0);
  expect(host.stderr()).toBe('');
  return host.stdout();
}

/** What the loader makes of the written graph. */
function loaded(): unknown {
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'models:\n  - name: m\n    graph: graph.yaml\n');
  const overrides = { server: {}, node: {} };
  return loadConfig(config, { nodeTypes: NODE_TYPES, overrides }).models[0]?.node;
}

/** The options that hold without the file saying so. */
function defaults(): object {
  writeFileSync(graph, `nodes: [{ type: embeddings, options: { models_path: ${MODEL} } }]`);
  const { options } = loaded() as { options: object };
  rmSync(graph);
  return options;
}

describe('generateGraph()', () => {
  test('writes what the loader takes, with the defaults', () => {
    const options = defaults();
    expect(generate()).toBe(`Wrote ${graph}\n`);
    expect(loaded()).toMatchObject({ name: 'EmbeddingsExecutor', type: 'embeddings', options });
  });

  test('writes every option that flags give', () => {
    const options = defaults();
    generate(
      ...['--pooling', 'LAST', '--normalize', 'false', '--truncate', 'true'],
      ...['--max_length', '16', '--max_batch_size', '4294967295', '--num_streams', '2'],
    );
    expect(loaded()).toMatchObject({
      options: {
        ...options,
        pooling: 'LAST',
        normalizeEmbeddings: false,
        truncate: true,
        maxLength: 16,
        maxBatchSize: 4_294_967_295,
        session: { numStreams: 2, intraOpNumThreads: 'auto' },
      },
    });
  });

  test.each([
    ['rerank', 'RerankExecutor', { scoring: 'logits' }],
    ['classify', 'ClassifyExecutor', {}],
  ])('writes what the loader takes for %s', (task, name, own) => {
    generate('--task', task, '--max_length', '16', '--truncate', 'true', '--num_streams', '1');
    expect(loaded()).toMatchObject({
      name,
      type: task,
      options: {
        ...own,
        truncate: true,
        maxLength: 16,
        maxBatchSize: 1024,
        session: { numStreams: 1, intraOpNumThreads: 'auto' },
      },
    });
  });

  test('writes the same again', () => {
    generate('--max_length', '16', '--pooling', 'CLS');
    const first = readFileSync(graph, 'utf8');
    rmSync(graph);
    generate('--pooling', 'CLS', '--max_length', '16');
    expect(readFileSync(graph, 'utf8')).toBe(first);
  });

  test('names a folder that is the graph file’s own', () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    for (const name of ['model.onnx', 'tokenizer.json', 'config.json']) {
      writeFileSync(join(own, name), readFileSync(join(MODEL, name)));
    }
    generate('--model_path', own, '--graph_path', join(own, 'graph.yaml'));
    expect(readFileSync(join(own, 'graph.yaml'), 'utf8')).toContain('models_path: .\n');
  });

  test.each([
    [graph, relative('', graph)],
    ['generate-graph-test.yaml', 'generate-graph-test.yaml'],
    ['test/generate-graph-test.yaml', 'test/generate-graph-test.yaml'],
  ])('names %s from the folder that the user is in', (path, shown) => {
    try {
      generate('--graph_path', path);
      expect(readFileSync(path, 'utf8').split('\n')[2]).toBe(
        `# - { name: tiny-bert-embeddings, graph: ${shown} }`,
      );
    } finally {
      rmSync(path, { force: true });
    }
  });

  test('takes the context length of the model, and not a token more', () => {
    generate('--max_length', '128');
    expect(loaded()).toMatchObject({ options: { maxLength: 128 } });
    rmSync(graph);
    expect(thrown(() => generate('--max_length', '129'))).toMatchObject({
      fault: 'config',
      message:
        '--max_length: must be at most 128, the context length of the model (max_position_embeddings in config.json), not 129',
    });
    expect(readdirSync(folder)).not.toContain('graph.yaml');
  });

  test('leaves an existing file as it is', () => {
    writeFileSync(graph, 'mine');
    expect(thrown(() => generate())).toMatchObject({
      fault: 'usage',
      message: `--graph_path: ${graph} exists already, and only --overwrite replaces it`,
    });
    expect(readFileSync(graph, 'utf8')).toBe('mine');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('replaces an existing file when told to', () => {
    writeFileSync(graph, 'mine');
    generate('--overwrite', 'true');
    expect(readFileSync(graph, 'utf8')).toContain('nodes:');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('makes no folder', () => {
    const file = join(folder, 'missing', 'graph.yaml');
    expect(thrown(() => generate('--graph_path', file))).toMatchObject({
      fault: 'usage',
      message: `--graph_path: cannot write ${file}: no such file or folder`,
    });
  });

  test.each([
    [null, /^--model_path: .*config\.json: cannot read the file: no such file or folder$/],
    ['[]', /^--model_path: .*config\.json: must hold a JSON object$/],
  ])('writes nothing for a model whose config.json is %j', (text, message) => {
    const model = mkdtempSync(join(folder, 'model-'));
    for (const name of ['model.onnx', 'tokenizer.json']) {
      writeFileSync(join(model, name), readFileSync(join(MODEL, name)));
    }
    if (text !== null) writeFileSync(join(model, 'config.json'), text);
    expect(thrown(() => generate('--model_path', model))).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(message) as string,
    });
    expect(readdirSync(folder)).not.toContain('graph.yaml');
  });

  test('writes nothing for a model that cannot be served', () => {
    const missing = join(folder, 'no-model');
    expect(thrown(() => generate('--model_path', missing))).toMatchObject({
      fault: 'config',
      message: `--model_path: cannot use ${missing}: no such file or folder`,
    });
    expect(readdirSync(folder)).not.toContain('graph.yaml');
  });
});

describe('writeGraph()', () => {
  test('names the flags that it is told of', () => {
    const model = { modelName: 'm', task: 'embeddings', modelPath: join(folder, 'none') };
    const file = { graphPath: graph, shownAs: 'g.yaml', overwrite: false };
    const overrides = { server: {}, node: {} };
    const flags = new Map([['options.models_path', 'source_model']]);
    expect(
      thrown(() => {
        writeGraph({ ...model, ...file, overrides, flags });
      }),
    ).toMatchObject({
      fault: 'config',
      message: expect.stringMatching(/^--source_model: cannot use /) as string,
    });
  });
});
