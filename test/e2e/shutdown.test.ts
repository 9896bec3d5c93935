import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  ROOT,
  startProcess,
  startServerProcess,
  type ServerProcess,
} from '../support/server-process.ts';

/** Takes the default model a second or more: texts near its context length. */
const HEAVY = {
  model: 'sentence-transformers/all-MiniLM-L6-v2',
  input: Array.from({ length: 12 }, (_, index) => `${index} ${'word '.repeat(480)}`),
};

/** How the server is started: by itself, by what `npm start` runs, and by `npm start`. */
const WAYS = [
  ['dist/main.js', ['dist/main.js']],
  ['scripts/setup.mjs start', ['scripts/setup.mjs', 'start']],
  ['npm start', [npm(), 'start', '--']],
] as const;

/** The program of npm: of the one that runs this test, or of the one on the path. */
function npm(): string {
  const globals = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  return process.env['npm_execpath'] ?? join(globals, 'npm/bin/npm-cli.js');
}

function start(command: readonly string[], ...flags: string[]): Promise<ServerProcess> {
  const config = ['--config_path', join(ROOT, 'config.yaml'), '--log_level', 'DEBUG'];
  return startServerProcess([...config, ...flags], { command });
}

function embed({ url }: ServerProcess, body: object): Promise<Response> {
  return fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Resolves when the server has begun the request of some bytes that were sent. */
async function inFlight(server: ServerProcess): Promise<void> {
  // Requests are logged when they end, so the proof is one that comes behind and is answered.
  const response = await embed(server, { ...HEAVY, input: 'behind' });
  await response.arrayBuffer();
}

/** A connection that has had an answer and waits for more. */
async function idleSocket({
  port,
}: ServerProcess): Promise<{ socket: Socket; closed: Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      resolve();
    }),
  );
  socket.write('GET /v2/health/live HTTP/1.1\r\nHost: test\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resume();
  return { socket, closed };
}

describe.each(WAYS)('%s', (_name, command) => {
  test('finishes what is in flight, closes idle connections and exits with 0', async () => {
    const server = await start(command);
    const idle = await Promise.all(Array.from({ length: 10 }, () => idleSocket(server)));
    const heavy = embed(server, HEAVY);
    const order: string[] = [];
    await inFlight(server);
    server.child.kill('SIGTERM');
    void Promise.all(idle.map(({ closed }) => closed)).then(() => order.push('idle closed'));
    const response = await heavy;
    const { data } = (await response.json()) as { data: unknown[] };
    order.push('answered');
    expect(response.status).toBe(200);
    expect(data).toHaveLength(12);
    await expect(server.exited).resolves.toEqual({ code: 0, signal: null });
    expect(order).toEqual(['idle closed', 'answered']);
    await expect(embed(server, HEAVY)).rejects.toThrow('fetch failed');
  });
});

describe.each(WAYS.slice(0, 2))('%s', (_name, command) => {
  test('ends at once at a second signal', async () => {
    const server = await start(command);
    const heavy = embed(server, HEAVY).then(
      () => 'answered',
      () => 'cut',
    );
    await inFlight(server);
    server.child.kill('SIGTERM');
    await server.written('Shutting down');
    server.child.kill('SIGINT');
    await expect(server.exited).resolves.toEqual({ code: null, signal: 'SIGINT' });
    await expect(heavy).resolves.toBe('cut');
  });
});

test('takes a second signal that npm passes on for the first', async () => {
  const flags = ['--config_path', join(ROOT, 'config.yaml')];
  const server = await startServerProcess(flags, { env: { npm_lifecycle_event: 'start' } });
  const heavy = embed(server, HEAVY);
  await inFlight(server);
  server.child.kill('SIGINT');
  server.child.kill('SIGTERM');
  expect((await heavy).status).toBe(200);
  await expect(server.exited).resolves.toEqual({ code: 0, signal: null });
});

test('serves on in the drain delay, with readiness at 503', async () => {
  const server = await start(['dist/main.js'], '--drain_delay_s', '1');
  const ready = `${server.url}/v2/health/ready`;
  expect((await fetch(ready)).status).toBe(200);
  server.child.kill('SIGTERM');
  await server.written('Shutting down');
  expect((await fetch(ready)).status).toBe(503);
  expect((await fetch(`${server.url}/v2/health/live`)).status).toBe(200);
  expect((await embed(server, { ...HEAVY, input: 'still served' })).status).toBe(200);
  await expect(server.exited).resolves.toEqual({ code: 0, signal: null });
});

test('answers what is left after the grace with 503, and exits with 1', async () => {
  const server = await start(['dist/main.js'], '--grace_s', '0');
  const heavy = embed(server, HEAVY);
  await inFlight(server);
  server.child.kill('SIGTERM');
  const response = await heavy;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: 'shutting_down' } });
  await expect(server.exited).resolves.toEqual({ code: 1, signal: null });
});

test('ends in order while models are loading', async () => {
  const server = startProcess(['--rest_port', '0']);
  await server.written('Listening');
  server.child.kill('SIGTERM');
  await expect(server.exited).resolves.toEqual({ code: 0, signal: null });
});
