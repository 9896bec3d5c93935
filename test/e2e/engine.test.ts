import { startServerProcess } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { maxDifference } from '../support/open-servable.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const POISON = 'a text that kills';

interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number | undefined;
}

async function embed(url: string, input: unknown, headers = {}): Promise<Reply> {
  const response = await fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, input }),
  });
  const body = (await response.json()) as {
    readonly data?: readonly { readonly embedding: readonly number[] }[];
    readonly usage?: { readonly prompt_tokens: number };
    readonly error?: { readonly code: string };
  };
  return {
    status: response.status,
    code: body.error?.code,
    retryAfter: response.headers.get('retry-after'),
    vectors: body.data?.map(({ embedding }) => embedding) ?? [],
    tokens: body.usage?.prompt_tokens,
  };
}

describe('a server that is used by many at once', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess([], { env: { TENSORGATE_FAULT_TEXT: POISON } });
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test('gives each request its own vectors, usage or error', async () => {
    const lengths = [1, 3, 9, 40, 160, 400];
    const texts = lengths.map((words) => `text ${'word '.repeat(words)}`);
    const alone = await Promise.all(texts.map((text) => embed(server.url, text)));
    const requests = Array.from({ length: 64 }, async (_request, at) => {
      if (at % 16 === 5) {
        expect(await embed(server.url, [1, 2])).toMatchObject({
          status: 400,
          code: 'invalid_field',
        });
      } else if (at % 16 === 11) {
        const long = await embed(server.url, ['ok', 'long '.repeat(600)]);
        expect(long).toMatchObject({ status: 400, code: 'input_too_long' });
      } else {
        const picks = [at % 6, (at * 5 + 1) % 6, at % 6];
        const reply = await embed(
          server.url,
          picks.map((pick) => texts[pick]),
        );
        const tokens = picks.reduce((sum, pick) => sum + (alone[pick]?.tokens ?? NaN), 0);
        expect([reply.status, reply.tokens]).toEqual([200, tokens]);
        picks.forEach((pick, index) => {
          const difference = maxDifference(
            reply.vectors[index] ?? [],
            alone[pick]?.vectors[0] ?? [],
          );
          expect(difference).toBeLessThanOrEqual(1e-5);
        });
      }
    });
    await Promise.all(requests);
  }, 60_000);

  test('survives workers that die: only the request that kills fails', async () => {
    const expected = await embed(server.url, 'a harmless text');
    const requests = Array.from({ length: 30 }, (_request, at) =>
      embed(server.url, at % 10 === 3 ? [POISON] : 'a harmless text'),
    );
    const replies = await Promise.all(requests);
    replies.forEach(({ status, code, vectors }, at) => {
      if (at % 10 === 3) expect([status, code]).toEqual([500, 'inference_failed']);
      else expect([status, vectors]).toEqual([200, expected.vectors]);
    });
    expect((await fetch(`${server.url}/v2/health/ready`)).status).toBe(200);
  }, 60_000);
});

test('a full queue refuses with 429 and Retry-After, and what was taken is answered', async () => {
  const server = await startServerProcess(['--queue_tokens', '2000']);
  function heavy(at: number): string[] {
    return Array.from({ length: 8 }, (_text, row) => `${at} ${row} ${'long '.repeat(200)}`);
  }
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_request, at) => embed(server.url, heavy(at))),
  );
  const statuses = new Set(replies.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 429]);
  for (const { status, code, retryAfter } of replies) {
    if (status === 429) expect([code, Number(retryAfter) >= 1]).toEqual(['overloaded', true]);
  }
  await server.stop();
}, 60_000);
