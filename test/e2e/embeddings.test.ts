import { readFileSync } from 'node:fs';
import { startServerProcess } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { folderOf, maxDifference } from '../support/open-servable.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';

interface Golden {
  readonly text: string;
  readonly tokens: number;
  readonly embedding: readonly number[];
}

interface Reply {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
  };
}

const GOLDEN = readFileSync(folderOf('test/golden/golden-minilm.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden);

function post(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v3/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function embed(
  url: string,
  input: unknown,
  model = MODEL,
): Promise<Reply & { status: number }> {
  const response = await post(url, { model, input });
  return { ...((await response.json()) as Reply), status: response.status };
}

/** Largest resident memory of a process so far, in bytes. */
function peakBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

describe('the default server', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess();
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test('gives the golden vectors in one request', async () => {
    const { data, usage } = await embed(
      server.url,
      GOLDEN.map(({ text }) => text),
    );
    expect(data.map(({ index }) => index)).toEqual(GOLDEN.map((_row, at) => at));
    const worst = GOLDEN.map(({ embedding }, at) =>
      maxDifference(data[at]?.embedding ?? [], embedding),
    );
    expect(Math.max(...worst)).toBeLessThanOrEqual(2e-4);
    const tokens = GOLDEN.reduce((sum, row) => sum + row.tokens, 0);
    expect(usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
  });

  test('embeds 1,024 inputs of which one fills the context, in order and in bounded memory', async () => {
    const texts = Array.from({ length: 1024 }, (_row, at) => `text number ${at}`);
    texts[517] = 'long '.repeat(510);
    const { data } = await embed(server.url, texts);
    expect(data.map(({ index }) => index)).toEqual(texts.map((_text, at) => at));
    for (const at of [0, 516, 517, 518, 1023]) {
      const alone = await embed(server.url, texts[at]);
      const difference = maxDifference(data[at]?.embedding ?? [], alone.data[0]?.embedding ?? []);
      expect(difference).toBeLessThanOrEqual(1e-5);
    }
    if (process.platform === 'linux') expect(peakBytes(server.child.pid)).toBeLessThan(2e9);
  }, 60_000);

  test('answers probes while a heavy request runs, and drops it when its client leaves', async () => {
    const client = new AbortController();
    const input = Array.from({ length: 256 }, (_row, at) => `${at} ${'long '.repeat(507)}`);
    let answered = false;
    const heavy = post(server.url, { model: MODEL, input }, client.signal).finally(() => {
      answered = true;
    });
    const first = await embed(server.url, 'small');
    for (let probe = 0; probe < 20; probe += 1) {
      const { status } = await fetch(`${server.url}/v2/health/live`);
      expect(status).toBe(200);
    }
    expect(first.status).toBe(200);
    expect(answered).toBe(false);
    client.abort();
    await expect(heavy).rejects.toThrow();
    expect((await embed(server.url, 'small again')).status).toBe(200);
  }, 60_000);

  test('refuses 1,025 inputs and takes 1,024', async () => {
    const inputs = Array.from({ length: 1024 }, () => 'a');
    expect((await embed(server.url, inputs)).status).toBe(200);
    const { status, error } = await embed(server.url, [...inputs, 'a']);
    expect([status, error.code, error.param]).toEqual([400, 'batch_too_large', 'input']);
    expect(error.message).toMatch(/1025.*max_batch_size is 1024/);
  });

  test('takes 512 tokens and refuses 513', async () => {
    const { usage } = await embed(server.url, ['a '.repeat(510)]);
    expect(usage.prompt_tokens).toBe(512);
    const { status, error } = await embed(server.url, ['ok', 'a '.repeat(511)]);
    expect([status, error.code]).toEqual([400, 'input_too_long']);
    expect(error.message).toMatch(/input 1.*513.*512/);
  });
});

describe('a server for one long-context model', () => {
  const NAME = 'tiny-long-context';
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess([
      ...['--task', 'embeddings', '--model_name', NAME, '--max_batch_size', '300000'],
      ...['--model_path', folderOf('test/fixtures/tiny-long-context')],
    ]);
  }, 60_000);

  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test('takes exactly 1 GiB of padded token ids and refuses one input more', async () => {
    const inputs = Array.from({ length: 1024 }, () => 'a');
    expect((await embed(server.url, inputs, NAME)).status).toBe(200);
    const { status, error } = await embed(server.url, [...inputs, 'a'], NAME);
    expect([status, error.code]).toEqual([400, 'tensor_too_large']);
    expect(error.message).toMatch(/1074790400 bytes.*1073741824 bytes.*at most 1024 inputs/);
  });

  test('refuses 262,145 inputs before any is tokenized', async () => {
    const response = await post(server.url, { model: NAME, input: new Array(262_145).fill('a') });
    const { error } = (await response.json()) as Reply;
    expect([response.status, error.code]).toEqual([400, 'tensor_too_large']);
    expect(response.headers.get('server-timing') ?? '').not.toMatch(/tokenize/);
  });
});
