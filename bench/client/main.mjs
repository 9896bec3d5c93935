// Compares clients over loopback, interleaved: node bench/client/main.mjs [cases] [repeats]
// Prints Markdown; README.md says how to read it. Needs `npm run build`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
const PYTHON = process.env.TENSORGATE_PYTHON ?? join(ROOT, '.venv/bin/python');
const CASES = {
  A: {
    texts: 1,
    dimensions: 384,
    inFlight: 256,
    waitMs: 0,
    requests: 20_000,
    requestsOfCall: 5000,
  },
  B: { texts: 16, dimensions: 384, inFlight: 256, waitMs: 0, requests: 5000, requestsOfCall: 1250 },
  C: { texts: 128, dimensions: 1024, inFlight: 512, waitMs: 0, requests: 512, requestsOfCall: 512 },
  D: {
    texts: 16,
    dimensions: 384,
    inFlight: 256,
    waitMs: 50,
    requests: 5000,
    requestsOfCall: 2500,
  },
};
const NODE_CLIENTS = [
  'ours, MessagePack',
  'ours, MessagePack to Float32Array',
  'ours, JSON',
  'ours, HTTP/2',
  'npm 0.0.10',
  'fetch loop',
];
const PYTHON_CLIENTS = [
  'Python 0.1.16, MessagePack',
  'Python 0.1.16, JSON',
  'Python 0.1.16, HTTP/2',
];
const MAX_MS = 120_000;

/** Folder whose node_modules holds the native npm package. */
const NPM_CLIENTS = join(process.env.TENSORGATE_NPM_CLIENTS ?? join(ROOT, 'test/clients'), '/');
const hasNative = existsSync(join(NPM_CLIENTS, 'node_modules/@basetenlabs/performance-client'));

const [cases = 'ABCD', repeats = '5'] = process.argv.slice(2);
const clients = [
  ...NODE_CLIENTS.filter((client) => hasNative || client !== 'npm 0.0.10'),
  ...(existsSync(PYTHON) ? PYTHON_CLIENTS : []),
];
if (!hasNative) console.error(`left out: the npm package, there is none below ${NPM_CLIENTS}`);
if (!existsSync(PYTHON)) console.error(`left out: Python clients, there is no ${PYTHON}`);
console.log(
  `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? '?'}), load ` +
    `${loadavg()[0].toFixed(1)} at the start; ${repeats} repeats, interleaved; median (min–max)\n`,
);
for (const name of cases) await runCase(name);

async function runCase(name) {
  const settings = CASES[name];
  const stub = await startStub(settings);
  const readings = new Map(clients.map((client) => [client, []]));
  for (let repeat = 0; repeat < Number(repeats); repeat++) {
    for (const client of clients) {
      readings.get(client).push(await runClient(client, { ...settings, url: stub.url }));
      console.error(`${name} ${repeat + 1}/${repeats} ${client}`);
    }
  }
  stub.child.kill();
  printTable(name, settings, readings);
}

async function startStub({ texts, dimensions, waitMs }) {
  const args = [texts, dimensions, waitMs].map(String);
  const child = spawn(process.execPath, [join(ROOT, 'bench/client/stub.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { child, url: `http://127.0.0.1:${String(port).trim()}` };
}

/** Runs one client to its end; `null` if it fails or takes too long. */
async function runClient(client, job) {
  const text = JSON.stringify({ ...job, client, npmClients: NPM_CLIENTS });
  const child = PYTHON_CLIENTS.includes(client)
    ? spawn(PYTHON, [join(ROOT, 'bench/client/python_client.py'), text], { stdio: 'pipe' })
    : spawn(process.execPath, [join(ROOT, 'bench/client/clients.mjs'), text], { stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.resume();
  const ended = once(child, 'close');
  const late = wait(MAX_MS, 'late', { ref: false });
  if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
  await ended;
  // The native package prints to stdout, too: the reading is the last line.
  const line = output.trim().split('\n').at(-1) ?? '';
  return line.startsWith('{"requestsPerS"') || line.startsWith('{"requestsPerS": ')
    ? JSON.parse(line)
    : null;
}

function printTable(name, { texts, dimensions, inFlight, waitMs }, readings) {
  const pause = waitMs > 0 ? `, the server waits ${waitMs} ms` : '';
  console.log(`### ${name}: ${texts} × ${dimensions}, ${inFlight} in flight${pause}\n`);
  console.log('| client | requests/s | embeddings/s | CPU µs/request | p50 ms | p99 ms | RSS MB |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const [client, all] of readings) {
    const good = all.filter((reading) => reading !== null);
    const cells = good.length === 0 ? Array(6).fill('failed') : cellsOf(good, texts);
    console.log(`| ${client} | ${cells.join(' | ')} |`);
  }
  console.log('');
}

function cellsOf(readings, texts) {
  const of = (key) => readings.map((reading) => reading[key]).sort((one, other) => one - other);
  const middle = (values) => values[Math.floor(values.length / 2)];
  const spread = (key) => {
    const values = of(key);
    return `${middle(values).toFixed(0)} (${values[0].toFixed(0)}–${values.at(-1).toFixed(0)})`;
  };
  return [
    spread('requestsPerS'),
    (middle(of('requestsPerS')) * texts).toFixed(0),
    spread('cpuUs'),
    middle(of('p50Ms')).toFixed(1),
    middle(of('p99Ms')).toFixed(1),
    middle(of('rssMb')).toFixed(0),
  ];
}
