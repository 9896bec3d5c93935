import { PerformanceClient, type EmbeddingsResponse } from '../../src/client/index.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const MINUTES_MS = 60_000;

let server: ServerProcess;

afterEach(async () => {
  await server.stop();
});

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `text number ${i}`);
}

function rowsOf({ data }: EmbeddingsResponse): number[][] {
  return data.map(({ embedding }) => embedding);
}

/** Largest difference of two matrices. */
function distance(one: readonly number[][], other: readonly number[][]): number {
  return Math.max(
    ...one.map((row, at) =>
      Math.max(...row.map((value, i) => Math.abs(value - (other[at]?.[i] ?? NaN)))),
    ),
  );
}

describe('against the real server', () => {
  test(
    '5,000 texts, while it restarts once: order and values are right',
    async () => {
      server = await startServerProcess(['--rest_port', '0']);
      const input = texts(5000);
      const client = new PerformanceClient(server.url, 'unused');
      const preference = {
        batchSize: 32,
        maxConcurrentRequests: 16,
        initialBackoffMs: 1000,
        maxRetries: 6,
        retryBudgetPct: 3,
      };
      let done = false;
      const call = client.embed(input, MODEL, null, null, null, preference).finally(() => {
        done = true;
      });
      const outcome = call.catch((error: unknown) => error);
      const alone = client.embed([input[0] ?? ''], MODEL);
      await alone;
      expect(done).toBe(false);
      const { port } = server;
      await server.stop();
      server = await startServerProcess(['--rest_port', String(port)]);
      const response = (await outcome) as EmbeddingsResponse;
      expect(response).toMatchObject({ object: 'list' });
      expect(response.data.map(({ index }) => index)).toEqual(input.map((_, i) => i));
      const sample = [0, 31, 32, 1234, 2500, 4999];
      const again = await client.embed(
        sample.map((i) => input[i] ?? ''),
        MODEL,
      );
      const rows = rowsOf(response);
      expect(
        distance(
          sample.map((i) => rows[i] ?? []),
          rowsOf(again),
        ),
      ).toBeLessThan(1e-5);
      await client.close();
    },
    4 * MINUTES_MS,
  );

  test(
    "limits: 'server' meets no refusal; all formats give the same numbers, bit by bit",
    async () => {
      server = await startServerProcess(['--rest_port', '0', '--max_batch_size', '7']);
      const client = new PerformanceClient(server.url, 'unused');
      const many = { limits: 'server', batchSize: 1024, maxConcurrentRequests: 4 } as const;
      const planned = await client.embed(texts(100), MODEL, null, null, null, many);
      expect(planned.response_headers).toHaveLength(15);
      const input = texts(7);
      const json = { extraHeaders: { accept: 'application/json' } };
      const packed = await client.embed(input, MODEL);
      const plain = await client.embed(input, MODEL, null, null, null, json);
      expect(packed.response_headers[0]?.['content-type']).toContain('msgpack');
      expect(plain.response_headers[0]?.['content-type']).toContain('json');
      const expected = rowsOf(packed);
      expect(rowsOf(plain)).toEqual(expected);
      for (const format of ['float', 'base64', 'tensor'] as const) {
        for (const extra of [{}, json]) {
          const floats = { vectors: 'float32', ...extra } as const;
          const { data } = await client.embed(input, MODEL, format, null, null, floats);
          expect(data.map(({ embedding }) => Array.from(embedding))).toEqual(expected);
        }
      }
      const http2 = new PerformanceClient(server.url, 'unused', 2);
      expect(rowsOf(await http2.embed(input, MODEL))).toEqual(expected);
      await http2.close();
      await client.close();
    },
    2 * MINUTES_MS,
  );
});
