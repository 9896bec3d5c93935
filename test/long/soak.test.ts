import { randomTexts } from '../support/random-texts.ts';
import { processFigures } from '../support/process-figures.ts';
import { startServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const GIB = 1024 ** 3;

/** How long the mixed load lasts, in ms; `npm run soak` sets more. */
const SOAK_MS = Number(process.env['TENSORGATE_SOAK_S'] ?? 40) * 1000;

async function embed(url: string, input: readonly string[]): Promise<number> {
  const response = await fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input, encoding_format: 'base64' }),
  });
  const { data } = (await response.json()) as { readonly data: readonly unknown[] };
  expect([response.status, data.length]).toEqual([200, input.length]);
  return data.length;
}

test(
  'memory, files and threads come back after mixed load, and stay where they are under small load',
  async () => {
    const server = await startServerProcess();
    const { pid } = server.child;
    const texts = randomTexts(7);
    await embed(server.url, ['warm']);
    const start = processFigures(pid);
    const end = performance.now() + SOAK_MS;
    let embedded = 0;
    async function client(): Promise<void> {
      while (performance.now() < end) {
        const rows = 1 + Math.floor(texts.random() ** 3 * 64);
        const words = 1 + Math.floor(texts.random() ** 3 * 440);
        const input = Array.from({ length: rows }, () => texts.text(words));
        embedded += await embed(server.url, input);
      }
    }
    await Promise.all([client(), client(), client()]);
    const mixed = processFigures(pid);
    for (let round = 0; round < 2000; round += 8) {
      await Promise.all(Array.from({ length: 8 }, () => embed(server.url, [texts.text(1)])));
    }
    const after = processFigures(pid);
    process.stdout.write(`${JSON.stringify({ embedded, start, mixed, after })}\n`);
    expect(after.peakBytes).toBeLessThan(2 * GIB);
    expect(after.rssBytes).toBeLessThan(start.rssBytes + GIB);
    expect(after.rssBytes).toBeLessThan(mixed.rssBytes + 0.1 * GIB);
    expect(after.threads).toBeLessThanOrEqual(mixed.threads);
    expect(after.files).toBeLessThanOrEqual(start.files + 16);
    expect((await server.stop()).code).toBe(0);
  },
  SOAK_MS + 120_000,
);
