import { connect } from 'node:net';
import { maxDifference } from '../support/open-servable.ts';
import { processFigures } from '../support/process-figures.ts';
import { randomTexts } from '../support/random-texts.ts';
import { startServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const POISON = 'a text that kills';

interface Reply {
  readonly status: number;
  readonly vectors: readonly (readonly number[])[];
  readonly ms: number;
}

async function embed(
  url: string,
  input: string | readonly string[],
  signal?: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const response = await fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input }),
    ...(signal && { signal }),
  });
  const { data = [] } = (await response.json()) as {
    readonly data?: readonly { readonly embedding: readonly number[] }[];
  };
  const vectors = data.map(({ embedding }) => embedding);
  return { status: response.status, vectors, ms: performance.now() - started };
}

function report(name: string, figures: object): void {
  process.stdout.write(`${name} ${JSON.stringify(figures)}\n`);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
}

test('20 worker crashes under load fail the poison requests alone', async () => {
  const server = await startServerProcess([], { env: { TENSORGATE_FAULT_TEXT: POISON } });
  const texts = randomTexts(3);
  const inputs = Array.from({ length: 40 }, () => texts.text(1 + Math.floor(texts.random() * 60)));
  const expected = await Promise.all(inputs.map((input) => embed(server.url, input)));
  let over = false;
  let answered = 0;
  async function client(first: number): Promise<void> {
    for (let at = first; !over; at = (at + 7) % inputs.length) {
      const { status, vectors } = await embed(server.url, inputs[at] ?? '');
      expect(status).toBe(200);
      const difference = maxDifference(vectors[0] ?? [], expected[at]?.vectors[0] ?? []);
      expect(difference).toBeLessThanOrEqual(1e-5);
      answered += 1;
    }
  }
  const clients = [client(0), client(1), client(2), client(3)];
  for (let crash = 0; crash < 20; crash += 1) {
    expect((await embed(server.url, ['harmless', POISON])).status).toBe(500);
  }
  over = true;
  await Promise.all(clients);
  report('crashes', { answered, threads: processFigures(server.child.pid).threads });
  expect((await fetch(`${server.url}/v2/health/ready`)).status).toBe(200);
  expect((await server.stop()).code).toBe(0);
}, 120_000);

test('heavy requests that are abandoned delay the next small one by a run at most', async () => {
  const server = await startServerProcess();
  const heavy = Array.from({ length: 64 }, (_text, at) => `${at} ${'hello '.repeat(300)}`);
  const clients = Array.from({ length: 30 }, () => new AbortController());
  const given = clients.map(({ signal }) => embed(server.url, heavy, signal).catch(() => null));
  // All are in line: the first run of one of them is over.
  await embed(server.url, 'small');
  for (const client of clients) client.abort();
  await Promise.all(given);
  const { status, ms } = await embed(server.url, 'hello world');
  report('abandoned', { ms: Math.round(ms) });
  expect(status).toBe(200);
  // What is left of the heavy ones would take more than a minute.
  const next = await embed(server.url, 'and another');
  expect(next.status).toBe(200);
  await server.stop();
}, 120_000);

test('probes and one-word requests are answered under the heaviest legal request', async () => {
  const server = await startServerProcess();
  const heavy = new AbortController();
  const input = Array.from({ length: 600 }, (_text, at) => `${at} ${'water '.repeat(500)}`);
  const running = embed(server.url, input, heavy.signal).catch(() => null);
  const probes: number[] = [];
  const words: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const started = performance.now();
    expect((await fetch(`${server.url}/v2/health/live`)).status).toBe(200);
    probes.push(performance.now() - started);
    const { status, ms } = await embed(server.url, 'word');
    expect(status).toBe(200);
    words.push(ms);
  }
  report('under load', { probeP99: percentile(probes, 0.99), wordP99: percentile(words, 0.99) });
  heavy.abort();
  await running;
  expect(processFigures(server.child.pid).peakBytes).toBeLessThan(2 * 1024 ** 3);
  await server.stop();
}, 120_000);

test('1,024 connections at once are served or refused, and none hangs', async () => {
  const server = await startServerProcess();
  const body = JSON.stringify({ model: MODEL, input: 'hello', encoding_format: 'base64' });
  const request = `POST /v3/embeddings HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const statuses = await Promise.all(
    Array.from(
      { length: 1024 },
      () =>
        new Promise<string>((resolve) => {
          let answer = '';
          const socket = connect(server.port, '127.0.0.1', () => socket.write(request));
          socket.on('data', (chunk) => {
            answer += chunk.toString('latin1');
          });
          socket.on('error', (error) => {
            resolve(error.message);
          });
          socket.on('close', () => {
            resolve(answer.slice(9, 12));
          });
        }),
    ),
  );
  expect(statuses.filter((status) => status !== '200' && status !== '429')).toEqual([]);
  expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(0);
  await server.stop();
}, 120_000);
