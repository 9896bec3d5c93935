import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMIT } from '../support/local-hub.ts';
import {
  fault,
  FILES,
  MODEL,
  ONNX,
  PULL,
  pullBench,
  type PullBench,
} from '../support/pull-bench.ts';
import { runToEnd, startProcess, startServerProcess } from '../support/server-process.ts';

const ONNX_SHA256 = /^onnx\/model\.onnx: [\d.]+ kB, sha256 [0-9a-f]{64}, as the hub says$/m;
const SIZE = FILES.get(ONNX)?.content.length;

let bench: PullBench;

beforeEach(async () => {
  bench = await pullBench();
});

afterEach(async () => {
  await bench.remove();
});

describe('--pull', () => {
  test('downloads the files, writes a graph, and prints two lines that serve it', async () => {
    const { code, stdout, stderr } = await bench.pull();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(`^Downloading acme/tiny at ${COMMIT} from 127\\.0\\.0\\.1:\\d+: 5 files, .*B\n$`),
    );
    expect(stdout).toMatch(ONNX_SHA256);
    expect(bench.there()).toEqual(
      [...FILES.keys(), 'graph.yaml'].map((name) => `models/acme/tiny/${name}`).sort(),
    );
    for (const [name, file] of FILES) {
      expect(readFileSync(join(bench.folder.path, 'models/acme/tiny', name))).toEqual(file.content);
    }
    const lines = stdout.split('\n').slice(-3, -1);
    bench.folder.write('config.yaml', ['models:', ...lines, ''].join('\n'));
    const server = await startServerProcess([], { cwd: bench.folder.path });
    expect(server.stdout()).toContain('  acme/tiny: embeddings, dimensions 32,');
    await server.stop();
  });

  test('takes the data that an ONNX file has beside it', async () => {
    const content = Buffer.from('weights');
    const own = await pullBench(new Map([[`${ONNX}_data`, { content, isLarge: true }]]));
    await expect(own.pull()).resolves.toMatchObject({ code: 0 });
    const file = join(own.folder.path, 'models', MODEL, `${ONNX}_data`);
    expect(readFileSync(file)).toEqual(content);
    await own.remove();
  });

  test('asks for all files by the commit of the first', async () => {
    await bench.pull();
    const [first, ...others] = bench.hub.requests;
    expect(first).toMatchObject({ method: 'HEAD', file: 'config.json', revision: 'main' });
    const found = others.filter(({ method }) => method === 'HEAD');
    expect(new Set(found.map(({ revision }) => revision))).toEqual(new Set([COMMIT]));
  });

  test('goes on by itself after a cut', async () => {
    bench.hub.behaviour.stallAfter = 50_000;
    const running = startProcess(PULL, bench.options());
    await bench.partHas(50_000);
    bench.hub.behaviour.stallAfter = null;
    bench.hub.cut();
    await expect(running.exited).resolves.toMatchObject({ code: 0 });
    expect(running.stdout()).toMatch(ONNX_SHA256);
    expect(bench.ranges()).toEqual([null, 'bytes=50000-']);
  });

  test('begins again after a cut where the hub gives no parts', async () => {
    Object.assign(bench.hub.behaviour, { stallAfter: 50_000, hasRanges: false });
    const running = startProcess(PULL, bench.options());
    await bench.partHas(50_000);
    bench.hub.behaviour.stallAfter = null;
    bench.hub.cut();
    await expect(running.exited).resolves.toMatchObject({ code: 0 });
    expect(running.stdout()).toMatch(ONNX_SHA256);
  });

  test('goes on when it is run again after too many cuts', async () => {
    bench.hub.behaviour.stallAfter = 10_000;
    const running = startProcess(PULL, bench.options());
    for (const bytes of [10_000, 20_000, 30_000, 40_000, 50_000]) {
      await bench.partHas(bytes);
      bench.hub.cut();
    }
    const exit = await running.exited;
    expect(fault({ ...exit, stdout: running.stdout(), stderr: running.stderr() })).toEqual({
      code: 69,
      line: `Cannot download ${ONNX}: the connection was cut after 50000 of ${SIZE} bytes; the same command goes on from there`,
    });
    expect(bench.there().filter((name) => !name.endsWith('.part'))).toEqual([]);
    bench.hub.behaviour.stallAfter = null;
    await expect(bench.pull()).resolves.toMatchObject({ code: 0 });
    expect(bench.ranges().at(-1)).toBe('bytes=50000-');
    expect(bench.there().filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('leaves only what is called .part when it is interrupted, and goes on from there', async () => {
    bench.hub.behaviour.stallAfter = 30_000;
    const running = startProcess(PULL, bench.options());
    await bench.partHas(30_000);
    running.child.kill('SIGINT');
    await expect(running.exited).resolves.toEqual({ code: null, signal: 'SIGINT' });
    expect(bench.there().filter((name) => !name.endsWith('.part'))).toEqual([]);
    bench.hub.behaviour.stallAfter = null;
    await expect(bench.pull()).resolves.toMatchObject({ code: 0 });
    expect(bench.ranges()).toEqual([null, 'bytes=30000-']);
  });

  test('does not take bytes of another file for its own', async () => {
    mkdirSync(join(bench.folder.path, 'models/acme/tiny/onnx'), { recursive: true });
    writeFileSync(join(bench.folder.path, 'models/acme/tiny', `${ONNX}.part`), 'of an older model');
    const { code, stdout } = await bench.pull();
    expect(code).toBe(0);
    expect(stdout).toMatch(ONNX_SHA256);
    expect(bench.ranges()).toEqual(['bytes=17-', null]);
  });

  test('keeps nothing of a file with another checksum than the hub says', async () => {
    bench.hub.behaviour.sha256 = 'ab'.repeat(32);
    const { code, line } = fault(await bench.pull());
    expect(code).toBe(69);
    expect(line).toMatch(
      /^Cannot use onnx\/model\.onnx: its SHA-256 is [0-9a-f]{64}, and the hub says (ab){32}; /,
    );
    expect(bench.there().filter((name) => name.includes('onnx'))).toEqual([]);
    expect(bench.there().filter((name) => !name.endsWith('.part'))).toEqual([]);
  });

  test('does not download again what is there, and keeps a graph that is there', async () => {
    await bench.pull();
    const graph = join(bench.folder.path, 'models/acme/tiny/graph.yaml');
    writeFileSync(graph, `${readFileSync(graph, 'utf8')}# mine\n`);
    const { code, stdout } = await bench.pull();
    expect(code).toBe(0);
    expect(bench.ranges()).toEqual([null]);
    expect(stdout).toContain('Kept models/acme/tiny/graph.yaml');
    expect(readFileSync(graph, 'utf8')).toContain('# mine');
  });

  test('writes the graph that flags ask for', async () => {
    const flags = ['--graph_path', 'g.yaml', '--pooling', 'CLS', '--model_name', 'mine'];
    const { code, stdout } = await bench.pull(...flags);
    expect(code).toBe(0);
    expect(stdout).toContain('  - name: "mine"\n    graph: "g.yaml"\n');
    const graph = readFileSync(join(bench.folder.path, 'g.yaml'), 'utf8');
    expect(graph).toMatch(/models_path: models\/acme\/tiny\n[^]*pooling: CLS\n/);
  });

  test('sends a token to the hub, and to no other host', async () => {
    bench.hub.behaviour.token = 'hf_secret';
    const { code } = await runToEnd(PULL, bench.options({ HF_TOKEN: 'hf_secret' }));
    expect(code).toBe(0);
    const sent = bench.hub.requests.map(({ isStorage, authorization }) => [
      isStorage,
      authorization,
    ]);
    expect(sent).toContainEqual([true, null]);
    expect(sent.filter(([isStorage]) => isStorage === true)).not.toContainEqual([
      true,
      'Bearer hf_secret',
    ]);
  });
});
