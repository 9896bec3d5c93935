import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describeProgram } from '../support/program.ts';
import { ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Clients that each have a request in flight, always. */
const CLIENTS = 8;

/** Requests that are to be answered after the last fault. */
const LAST_REQUESTS = 200;

const MODEL = join(ROOT, 'test/fixtures/tiny-bert-embeddings');
const CONFIG = readFileSync(join(ROOT, 'deploy/haproxy/haproxy.cfg'), 'utf8');
const BODY = JSON.stringify({ model: 'tiny', input: 'a text', encoding_format: 'base64' });

/** Status and body with a vector of 32 numbers, as base64. */
const WHOLE = /^200 \{"object":"list",.*"embedding":"[\w+/]{171}=".*\}$/;

/** In the log line of a request: how it ended, connections, and how often it was repeated (a plus: on another server). */
const REPEATED = / \S{4} \d+\/\d+\/\d+\/\d+\/\+?[1-9]\d* \d+\/\d+ "/g;

/** Servers by their names in the configuration. */
const NAMES = ['one', 'two', 'three'];

const folder = tempFolder();
const servers = new Map<string, ServerProcess>();
let balancer: Balancer | null = null;

interface Balancer {
  readonly child: ChildProcess;
  readonly port: number;
  readonly log: () => string;
  /** Resolves when the log says so once more than before. */
  readonly said: (text: string) => Promise<void>;
}

afterAll(() => {
  balancer?.child.kill('SIGKILL');
  folder.remove();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

/** Starts a server; its drain is longer than what HAProxy takes to see that it ends. */
async function start(name: string, port = 0): Promise<void> {
  const model = ['--task', 'embeddings', '--model_name', 'tiny', '--model_path', MODEL];
  const flags = ['--num_streams', '1', '--drain_delay_s', '2', '--grace_s', '10'];
  const server = await startServerProcess([...model, ...flags, '--rest_port', String(port)]);
  servers.set(name, server);
}

function serverNamed(name: string): ServerProcess {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`no server ${name}`);
  return server;
}

/** The configuration as it is, with other ports. */
async function startBalancer(program: string): Promise<Balancer> {
  const port = await freePort();
  const ports = NAMES.map((name) => serverNamed(name).port);
  const places = [
    'bind :8080',
    ...NAMES.map((name, at) => `server ${name} 127.0.0.1:800${at + 1}`),
  ];
  const here = [
    `bind 127.0.0.1:${port}`,
    ...NAMES.map((name, at) => `server ${name} 127.0.0.1:${ports[at] ?? 0}`),
  ];
  const config = places.reduce((text, place, at) => {
    expect(text).toContain(`${place}\n`);
    return text.replace(`${place}\n`, `${here[at] ?? ''}\n`);
  }, CONFIG);
  folder.write('haproxy.cfg', config);
  const child = spawn(program, ['-db', '-f', join(folder.path, 'haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      for (const listener of listeners) listener();
    });
  }
  while (!(await isListening(port))) expect(child.exitCode).toBeNull();
  function count(text: string): number {
    return log.split(text).length - 1;
  }
  return {
    child,
    port,
    log: () => log,
    said: (text) =>
      new Promise((resolve) => {
        const before = count(text);
        function look(): void {
          if (count(text) === before) return;
          listeners.delete(look);
          resolve();
        }
        listeners.add(look);
      }),
  };
}

/** What became of the requests. */
interface Load {
  readonly latenciesMs: number[];
  /** What was answered otherwise than with the vector. */
  readonly failures: string[];
  /** Resolves when that many more have been answered. */
  readonly answered: (more: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

function startLoad(port: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;

  async function client(): Promise<void> {
    while (!isOver) {
      const startedMs = performance.now();
      const answer = await post(agent, port).catch((error: unknown) => String(error));
      latenciesMs.push(performance.now() - startedMs);
      if (!WHOLE.test(answer)) failures.push(answer.slice(0, 200));
      for (const look of waiting) look();
    }
  }
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    latenciesMs,
    failures,
    answered: (more) =>
      new Promise((resolve) => {
        const wanted = latenciesMs.length + more;
        function look(): void {
          if (latenciesMs.length < wanted) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
      }),
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** Status and body of an answer. */
function post(agent: Agent, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
    const options = {
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v3/embeddings',
      headers,
    };
    const sent = request(options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('error', reject);
      response.on('end', () => {
        resolve(`${response.statusCode ?? 0} ${body}`);
      });
    });
    sent.on('error', reject);
    sent.end(BODY);
  });
}

function percentile(values: readonly number[], part: number): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.ceil(sorted.length * part) - 1] ?? 0).toFixed(1);
}

describeProgram(
  'haproxy',
  (program) => {
    test('loses no request while servers are restarted one by one and one is killed', async () => {
      await Promise.all(NAMES.map((name) => start(name)));
      const { port, log, said } = (balancer = await startBalancer(program));
      const load = startLoad(port);
      await load.answered(LAST_REQUESTS);

      for (const name of NAMES) {
        const server = serverNamed(name);
        const isUp = said(`Server servers/${name} is UP`);
        await expect(server.stop()).resolves.toEqual({ code: 0, signal: null });
        await start(name, server.port);
        await isUp;
      }

      const victim = serverNamed('two');
      const [isDown, isUp] = ['DOWN', 'UP'].map((state) => said(`Server servers/two is ${state}`));
      victim.child.kill('SIGKILL');
      await expect(victim.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
      await isDown;
      await start('two', victim.port);
      await isUp;

      await load.answered(LAST_REQUESTS);
      await load.stop();
      const { latenciesMs, failures } = load;
      const repeated = log().match(REPEATED)?.length ?? 0;
      process.stderr.write(
        `HAProxy: ${latenciesMs.length} requests, ${failures.length} failed, ${repeated} repeated, ` +
          `p50 ${percentile(latenciesMs, 0.5)} ms, p99 ${percentile(latenciesMs, 0.99)} ms, ` +
          `longest ${percentile(latenciesMs, 1)} ms\n`,
      );
      expect([...new Set(failures)]).toEqual([]);
      expect(repeated).toBeGreaterThan(0);
      await Promise.all(NAMES.map((name) => serverNamed(name).stop()));
    }, 60_000);
  },
  true,
);
