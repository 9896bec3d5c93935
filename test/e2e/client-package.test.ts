import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { on, once } from 'node:events';
import ts from 'typescript';
import { PerformanceClient } from '../../src/client/index.ts';
import { RecordingStub, vectorOf } from '../support/recording-stub.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUNDLES = join(ROOT, 'dist/client-bundle');
const FETCH_BUNDLE = join(BUNDLES, 'client.fetch.js');

const NAMES = [
  'CancellationToken',
  'Endpoint',
  'EndpointPool',
  'HttpClientWrapper',
  'PerformanceClient',
  'PerformanceClientError',
  'RequestProcessingPreference',
  'TraceContext',
  'decodeBase64Float32',
  'flushTracing',
];

/** Runs a program in a Node of its own, in the repository's folder; gives what it printed. */
function run(type: 'module' | 'commonjs', code: string): string {
  const args = [`--input-type=${type}`, '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

describe('tensorgate/client', () => {
  test('is importable, as ESM', () => {
    const code = `console.log(Object.keys(await import('tensorgate/client')).join())`;
    expect(run('module', code)).toBe(`${NAMES.join()}\n`);
  });

  test('is requirable, as CommonJS', () => {
    const code = `console.log(Object.keys(require('tensorgate/client')).join())`;
    expect(run('commonjs', code)).toBe(`${NAMES.join()}\n`);
  });

  test('loads no package and no server code', () => {
    for (const file of ['client.js', 'client.cjs']) {
      const text = readFileSync(join(BUNDLES, file), 'utf8');
      const loaded = [...text.matchAll(/(?:from|require\()\s*["']([^"']+)["']/g)].map(
        ([, name]) => name,
      );
      expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual([]);
      expect(text).not.toContain('onnxruntime');
    }
  });

  test('loads the fetch build under the conditions of browsers and edge runtimes', () => {
    for (const condition of ['browser', 'workerd', 'edge-light']) {
      const args = [
        `--conditions=${condition}`,
        '--input-type=module',
        '--eval',
        `console.log(import.meta.resolve('tensorgate/client'))`,
      ];
      const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
      expect(stdout.trim()).toBe(pathToFileURL(FETCH_BUNDLE).href);
    }
  });

  test('has declarations for both module systems', () => {
    const files = ['dist/client/index.d.ts', 'dist/client-bundle/cjs/index.d.ts'];
    const program = ts.createProgram(
      files.map((file) => join(ROOT, file)),
      {
        module: ts.ModuleKind.NodeNext,
        lib: ['lib.es2023.d.ts'],
        types: ['node'],
        strict: true,
        noEmit: true,
        skipDefaultLibCheck: true,
      },
    );
    const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(ROOT));
    const own = ours.filter(({ fileName }) => !fileName.includes('node_modules'));
    expect(own.length).toBeGreaterThan(files.length);
    const faults = own.flatMap((file) => program.getSemanticDiagnostics(file));
    expect(faults.map(({ messageText }) => messageText)).toEqual([]);
  });
});

describe('the fetch build', () => {
  test('imports nothing', () => {
    const text = readFileSync(FETCH_BUNDLE, 'utf8');
    expect(text).not.toMatch(/\bimport\s*(?:[({'"*]|[\w$]+\s*(?:,|from))/);
    expect(text).not.toMatch(/\brequire\(|node:|\bBuffer\b/);
  });

  test('works in a worker without Node globals, where timers are numbers', async () => {
    const stub = await RecordingStub.open();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`), {
      workerData: { bundle: pathToFileURL(FETCH_BUNDLE).href, url: stub.url },
    });
    expect(await serveFetch(worker)).toEqual({
      globals: [],
      vectors: ['a', 'bcd'].map(vectorOf),
      matrix: ['a', 'bcd'].flatMap(vectorOf),
      failure: { kind: 'http', status: 418 },
      cancelled: 'cancelled',
      proxy: 'InvalidArg',
      http2: 'InvalidArg',
      health: true,
    });
    await worker.terminate();
    await stub.close();
  });
});

interface FromWorker {
  readonly result?: unknown;
  readonly fetch?: {
    readonly url: string;
    readonly method: string;
    readonly headers: [string, string][];
    readonly body: string | null;
  };
}

/** Sends the requests of a worker, one after the other; resolves to its result. */
async function serveFetch(worker: Worker): Promise<unknown> {
  for await (const [message] of on(worker, 'message') as AsyncIterable<[FromWorker]>) {
    if (!message.fetch) return message.result;
    const { url, ...init } = message.fetch;
    const response = await fetch(url, init);
    worker.postMessage({
      status: response.status,
      headers: [...response.headers],
      bytes: new Uint8Array(await response.arrayBuffer()),
    });
  }
  return undefined;
}

/** Runs before anything is imported: takes away what only Node has. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads';
const names = ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate', 'require', 'module'];
for (const name of names) delete globalThis[name];
const { setTimeout: set, clearTimeout: clear } = globalThis;
const timers = new Map();
globalThis.setTimeout = (callback, ms) => {
  const id = timers.size + 1;
  timers.set(id, set(callback, ms));
  return id;
};
globalThis.clearTimeout = (id) => clear(timers.get(id));
// Node's own fetch needs Buffer: the test sends the requests, as a browser would.
const waiting = [];
parentPort.on('message', (answer) => waiting.shift()(answer));
const answered = ({ status, headers, bytes }) => ({
  status,
  headers: new Map(headers),
  body: new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  }),
});
globalThis.fetch = async (url, { method, headers, body }) => {
  parentPort.postMessage({ fetch: { url, method, headers, body } });
  return answered(await new Promise((resolve) => waiting.push(resolve)));
};
const api = await import(workerData.bundle);
const client = new api.PerformanceClient(workerData.url, 'key');
const codeOf = (make) => {
  try { make(); } catch (error) { return error.code; }
};
const response = await client.embed(['a', 'bcd'], 'm');
const packed = await client.embed(['a', 'bcd'], 'm', null, null, null, { vectors: 'float32' });
const refusing = new api.PerformanceClient(workerData.url, {
  apiKey: 'key',
  fetch: async () => answered({ status: 418, headers: [], bytes: new Uint8Array([110, 111]) }),
});
const failure = await refusing.batchPost('/x', [1]).catch((error) => error);
const token = new api.CancellationToken();
const held = client.batchPost('/x', [1], { cancelToken: token }).catch((error) => error.kind);
token.cancel();
const wrapper = new api.HttpClientWrapper();
const pool = new api.EndpointPool([new api.Endpoint(workerData.url, 'k', wrapper)]);
parentPort.postMessage({ result: {
  globals: names.filter((name) => name in globalThis),
  vectors: response.data.map(({ embedding }) => embedding),
  matrix: Array.from(packed.toFloat32Array()),
  failure: { kind: failure.kind, status: failure.status },
  cancelled: await held,
  proxy: codeOf(() => new api.PerformanceClient(workerData.url, 'key', 1, null, 'http://p')),
  http2: codeOf(() => new api.PerformanceClient(workerData.url, 'key', 2)),
  health: pool.healthSnapshot()[0].healthy,
} });
pool.close();
`;

/** What `@ai-sdk/baseten` takes by injection, as its declarations say. */
type Injected = new (
  baseUrl: string,
  apiKey?: string,
) => {
  embed(
    input: string[],
    model: string,
  ): Promise<{ data: { embedding: number[] }[]; usage?: { total_tokens?: number } }>;
};

test('the client is what @ai-sdk/baseten takes by injection', async () => {
  const stub = await RecordingStub.open();
  const Taken: Injected = PerformanceClient;
  const response = await new Taken(stub.url, 'key').embed(['a'], 'm');
  expect(response.data[0]?.embedding).toEqual(vectorOf('a'));
  expect(response.usage?.total_tokens).toBe(1);
  await stub.close();
});

test('types: what a vector is follows from the arguments', async () => {
  const stub = await RecordingStub.open();
  const client = new PerformanceClient(stub.url, 'key');
  const numbers: number[] | undefined = (await client.embed(['a'], 'm')).data[0]?.embedding;
  expect(numbers).toEqual(vectorOf('a'));
  const { data } = await client.embed(['a'], 'm', 'base64', null, null, { vectors: 'float32' });
  const floats: Float32Array | undefined = data[0]?.embedding;
  expect(floats).toBeInstanceOf(Float32Array);
  await stub.close();
});

test('a program that has embedded ends by itself, with idle connections open', async () => {
  const stub = await RecordingStub.open();
  const code = `
    import { PerformanceClient } from 'tensorgate/client';
    await new PerformanceClient('${stub.url}', 'key').embed(['a'], 'm');
    await new PerformanceClient('${stub.url}', 'key').batchPost('/x', [1], { totalTimeoutS: 3600 });
  `;
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [status] = (await once(child, 'close')) as [number];
  expect({ status, output }).toEqual({ status: 0, output: '' });
  await stub.close();
});
