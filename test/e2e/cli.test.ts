import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, runToEnd, startServerProcess } from '../support/server-process.ts';

const FIXTURES = join(ROOT, 'test/fixtures');
const TINY = join(FIXTURES, 'tiny-bert-embeddings');
const folder = mkdtempSync(join(tmpdir(), 'cli of tensorgate '));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file of the test's folder; returns its name. */
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** A config file with one model. */
function config(name: string, options: string, more = ''): string {
  file(`${name}-graph.yaml`, `nodes:\n  - type: embeddings\n    options: { ${options} }\n`);
  return file(`${name}.yaml`, `${more}models:\n  - name: ${name}\n    graph: ${name}-graph.yaml\n`);
}

/** What a start that fails leaves: its code and its only line on stderr. */
async function failure(...flags: string[]): Promise<{ code: number | null; line: string }> {
  const { code, stdout, stderr } = await runToEnd(flags, { cwd: folder });
  expect(stdout).toBe('');
  const lines = stderr.split('\n').filter((line) => !/^\{"level":"(INFO|WARNING)"/.test(line));
  expect(lines).toEqual([expect.any(String), '']);
  return { code, line: lines[0] ?? '' };
}

describe('a start that fails', () => {
  test('names a wrong flag', async () => {
    await expect(failure('--max_batch_size', '1e3')).resolves.toEqual({
      code: 64,
      line: '--max_batch_size: must be a whole number from 1 to 4294967295, not "1e3"',
    });
  });

  test('names a config file that is not there', async () => {
    await expect(failure('--config_path', 'none.yaml')).resolves.toEqual({
      code: 78,
      line: 'none.yaml: cannot read the file: no such file or folder',
    });
  });

  test('names the place of a fault in the config file', async () => {
    const name = config('place', `models_path: ${TINY}`, 'server:\n  rest_prot: 8000\n');
    await expect(failure('--config_path', name)).resolves.toEqual({
      code: 78,
      line: 'place.yaml:2: server.rest_prot: unknown key, did you mean rest_port; allowed: rest_bind_address, rest_port, drain_delay_s, grace_s, queue_tokens, log_level, metrics_enable',
    });
  });

  test('names the place of a fault in a graph file', async () => {
    const name = config('pooling', `models_path: ${TINY}, pooling: MAX`);
    await expect(failure('--config_path', name)).resolves.toEqual({
      code: 78,
      line: 'pooling-graph.yaml:3: nodes[0].options.pooling: must be one of CLS, LAST, MEAN, not "MAX"',
    });
  });

  test('names the place of a model folder that is not there', async () => {
    const name = config('folder', 'models_path: no-model');
    await expect(failure('--config_path', name)).resolves.toEqual({
      code: 78,
      line: 'folder-graph.yaml:3: nodes[0].options.models_path: cannot use no-model: no such file or folder',
    });
  });

  test('names the flag of a model folder that is not there', async () => {
    const flags = ['--task', 'embeddings', '--model_name', 'm', '--model_path', 'no-model'];
    await expect(failure(...flags)).resolves.toEqual({
      code: 78,
      line: '--model_path: cannot use no-model: no such file or folder',
    });
  });

  test.each([
    ['tokenizer.json', null, '--model_path: tokenizer.file: cannot use '],
    ['tokenizer.json', '{}', '--model_path: tokenizer.file: cannot use the tokenizer '],
    ['model.onnx', null, '--model_file: cannot use '],
    ['model.onnx', 'not a model', '--model_file: '],
    ['config.json', null, '--model_path: '],
    ['config.json', '[]', '--model_path: '],
  ])('names a flag where the %s of a model without a config file is %j', async (...row) => {
    const [name, content, beginning] = row;
    const model = mkdtempSync(join(folder, 'model-'));
    for (const each of ['config.json', 'tokenizer.json', 'model.onnx']) {
      if (each !== name) symlinkSync(join(TINY, each), join(model, each));
    }
    if (content !== null) writeFileSync(join(model, name), content);
    const flags = ['--task', 'embeddings', '--model_name', 'm', '--model_path', model];
    const { code, line } = await failure(...flags, '--rest_port', '0');
    expect(code).toBe(78);
    expect(line.slice(0, beginning.length)).toBe(beginning);
  });

  test('names a model file that cannot be used, once the server has found out', async () => {
    const model = join(folder, 'broken');
    mkdirSync(model);
    for (const name of ['config.json', 'tokenizer.json']) {
      symlinkSync(join(TINY, name), join(model, name));
    }
    writeFileSync(join(model, 'model.onnx'), 'not a model');
    const name = config('broken-model', 'models_path: broken');
    const { code, line } = await failure('--config_path', name, '--rest_port', '0');
    expect(code).toBe(78);
    expect(line).toMatch(/^broken-model-graph\.yaml:3: nodes\[0\]\.options\.model_file: /);
  });

  test('names both numbers where max_length is more than the model has', async () => {
    const name = config(
      'long',
      `models_path: ${join(ROOT, 'models/all-MiniLM-L6-v2')}, max_length: 1024`,
    );
    const { code, line } = await failure('--config_path', name, '--rest_port', '0');
    expect(code).toBe(78);
    expect(line).toMatch(/^long-graph\.yaml:3: nodes\[0\]\.options\.max_length: .*512.*1024/);
  });

  test('names a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    const name = config('taken', `models_path: ${TINY}`);
    const { code, line } = await failure('--config_path', name, `--rest_port=${port}`);
    taken.close();
    expect({ code, line }).toEqual({
      code: 69,
      line: `Cannot listen on 127.0.0.1:${port}: another program uses the port; stop it, or choose another by --rest_port`,
    });
  });
});

test('--help and --version say so and end', async () => {
  const help = await runToEnd(['--help'], { cwd: folder });
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('--max_batch_size N');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  await expect(runToEnd(['--version'], { cwd: folder })).resolves.toMatchObject({
    code: 0,
    stdout: `${version}\n`,
  });
});

describe('a start that succeeds', () => {
  test('shows a command that works when pasted', async () => {
    const name = config('paste', `models_path: ${TINY}`);
    const server = await startServerProcess(['--config_path', name], { cwd: folder });
    const shown = server.stdout().split('\n');
    expect(shown).toEqual([
      `Ready on http://localhost:${server.port}`,
      '  paste: embeddings, dimensions 32, context_length 128, max_batch_size 1024',
      'Try it:',
      expect.stringMatching(/^ {2}curl /),
      '',
    ]);
    const { stdout } = await promisify(execFile)('sh', ['-c', shown[3] ?? '']);
    expect(JSON.parse(stdout)).toMatchObject({ object: 'list', model: 'paste' });
    await expect(server.stop()).resolves.toEqual({ code: 0, signal: null });
  });

  test('needs no config file for one model, and flags beat its defaults', async () => {
    const model = ['--task', 'embeddings', '--model_name', 'org/m', '--model_path', TINY];
    const server = await startServerProcess(
      [...model, '--max_batch_size', '2', '--max_length=16', '--log_level', 'ERROR'],
      { cwd: folder },
    );
    expect(server.stdout()).toContain(
      '  org/m: embeddings, dimensions 32, context_length 16, max_batch_size 2\n',
    );
    expect(server.stderr()).toBe('');
    await server.stop();
  });

  test('serves a graph that it has written, from any working directory', async () => {
    const graph = ['--graph_path', 'written.yaml', '--max_batch_size', '8'];
    const task = ['--task', 'embeddings', '--model_path', TINY];
    await expect(runToEnd([...task, ...graph], { cwd: folder })).resolves.toMatchObject({
      code: 0,
      stdout: 'Wrote written.yaml\n',
      stderr: '',
    });
    file('served.yaml', 'models:\n  - name: written\n    graph: written.yaml\n');
    const flags = ['--config_path', join(folder, 'served.yaml')];
    const server = await startServerProcess(flags, { cwd: tmpdir() });
    expect(server.stdout()).toContain(' max_batch_size 8\n');
    await server.stop();
  });

  test('takes the config file of the package where the folder has none', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const server = await startServerProcess([], { cwd: empty });
    expect(server.stdout()).toContain('  sentence-transformers/all-MiniLM-L6-v2: embeddings,');
    await server.stop();
  });
});
