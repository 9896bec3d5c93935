import type { ServerResponse } from 'node:http';
import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import { ANSWER_FIXTURES } from '../support/answer-fixtures.ts';
import {
  pythonWithClient,
  runPython,
  type PythonResult,
  type PythonStep,
} from '../support/python-client.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  vectorOf,
  type Recorded,
} from '../support/recording-stub.ts';

const found = pythonWithClient();
const python = 'path' in found ? found.path : '';
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const describeWithPython = python === '' ? describe.skip : describe;

/** Lengths around every bound of batching, with characters of one to four bytes. */
const TEXTS = Array.from(
  { length: 103 },
  (_, i) => ['a', 'é', '世', '😀'][i % 4]?.repeat((i * 7) % 61) ?? '',
);
const PREFERENCE = { batch_size: 3, max_chars_per_request: 100, initial_backoff_ms: 50 };

const STEPS: readonly PythonStep[] = [
  { kind: 'embed', input: TEXTS, model: 'm', preference: PREFERENCE },
  { kind: 'embed', input: TEXTS, model: 'm', format: 'base64', preference: PREFERENCE },
  { kind: 'embed', input: [''], model: 'm', format: 'float' },
  { kind: 'rerank', input: TEXTS, query: 'é', preference: PREFERENCE },
  { kind: 'classify', input: TEXTS, preference: PREFERENCE },
  {
    kind: 'batch_post',
    path: '/any/path?x=1',
    input: [{ a: [1, 2.5, null] }, 'text', 7],
    preference: PREFERENCE,
  },
  { kind: 'batch_post', path: '/flaky', input: [{ a: 1 }, { a: 2 }], preference: PREFERENCE },
  { kind: 'batch_post', path: '/bad', input: [{ a: 1 }], preference: PREFERENCE },
];

/** Answers by the body alone, so that both clients get the same; each new body on /flaky fails once. */
function responder(): (request: Recorded, response: ServerResponse) => void {
  const seen = new Set<string>();
  return (request, response) => {
    const known = seen.has(request.body);
    if (request.path === '/flaky') seen.add(request.body);
    if (request.path === '/bad') sendJson(response, { error: 'no' }, 422);
    else if (request.path === '/flaky' && !known) sendJson(response, {}, 503);
    else if (request.body.includes('"base64"')) sendBase64(request, response);
    else answerAnything(request, response);
  };
}

function sendBase64({ body }: Recorded, response: ServerResponse): void {
  const { input } = JSON.parse(body) as { input: string[] };
  sendJson(response, {
    object: 'list',
    data: input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64'),
    })),
    model: 'm',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}

interface Sender {
  readonly client: PerformanceClient;
  readonly step: PythonStep;
  readonly preference: PreferenceOptions;
}

const SENDERS: Readonly<Record<PythonStep['kind'], (sender: Sender) => Promise<unknown>>> = {
  embed: async ({ client, step, preference }) => {
    const texts = step.input as string[];
    const { data } = await client.embed(
      texts,
      step.model ?? '',
      step.format,
      null,
      null,
      preference,
    );
    return data.map(({ index, embedding }) => [index, embedding]);
  },
  rerank: async ({ client, step, preference }) => {
    const texts = step.input as string[];
    const query = step.query ?? '';
    const { data } = await client.rerank(query, texts, null, null, null, null, null, preference);
    return data.map(({ index, score, text }) => [index, score, text]);
  },
  classify: async ({ client, step, preference }) => {
    const texts = step.input as string[];
    const { data } = await client.classify(texts, null, null, null, null, preference);
    return data.map((row) => row.map(({ label, score }) => [label, score]));
  },
  batch_post: async ({ client, step, preference }) =>
    (await client.batchPost(step.path ?? '', [...step.input], preference)).data,
};

async function ours(client: PerformanceClient, step: PythonStep): Promise<PythonResult> {
  const preference = {
    batchSize: step.preference?.['batch_size'] as number | undefined,
    maxCharsPerRequest: step.preference?.['max_chars_per_request'] as number | undefined,
    initialBackoffMs: 50,
  };
  try {
    return { value: await SENDERS[step.kind]({ client, step, preference }) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Requests without what must differ; sorted, since several are open at once. */
function normalized({ requests }: RecordingStub): string[] {
  const varying = [
    'user-agent',
    'accept-encoding',
    'request-deadline-ms',
    'host',
    'content-length',
    ':authority',
  ];
  return requests
    .map(({ method, path, headers, body }) => {
      const kept = Object.entries(headers)
        .filter(([name]) => !varying.includes(name))
        .map(([name, value]) => [name, value.replace(/^perfclient-[0-9a-f]{10}/, 'perfclient')]);
      return JSON.stringify([method, path, kept.sort(), sortedKeys(JSON.parse(body))]);
    })
    .sort();
}

function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

describeWithPython(`beside the Python client 0.1.16${reason}`, () => {
  test.each([1, 2] as const)(
    'the same requests and the same results, over HTTP/%i',
    async (version) => {
      const theirs = await RecordingStub.open(responder(), version);
      const own = await RecordingStub.open(responder(), version);
      const job = { url: theirs.url, http_version: version, steps: STEPS };
      const expected = await runPython(python, job);
      const client = new PerformanceClient(own.url, 'key', version);
      const results = [];
      for (const step of STEPS) results.push(await ours(client, step));
      expect(results.slice(0, -1)).toEqual(expected.slice(0, -1));
      for (const { error } of [results.at(-1) ?? {}, expected.at(-1) ?? {}]) {
        expect(error).toContain('API request failed with status 422 Unprocessable Entity');
      }
      expect(normalized(own)).toEqual(normalized(theirs));
      await client.close();
      await own.close();
      await theirs.close();
    },
  );

  test('takes and refuses the fixtures as their table says', async () => {
    const fixtures = ANSWER_FIXTURES;
    let at = 0;
    const stub = await RecordingStub.open((request, response) => {
      const fixture = fixtures[Number(/\d+/.exec(request.body)?.[0] ?? at)];
      response.writeHead(fixture?.status ?? 200, {
        'content-type': fixture?.type ?? '',
        ...(fixture?.coding === undefined ? {} : { 'content-encoding': fixture.coding }),
      });
      response.end(fixture?.body);
    });
    const steps = fixtures.map((fixture, number): PythonStep => {
      at = number;
      const input = Array<string>(fixture.texts).fill(`fixture ${number}`);
      if (fixture.call === 'any') return { kind: 'batch_post', path: '/x', input };
      return { kind: fixture.call, input, model: 'm', query: 'q' };
    });
    const results = await runPython(python, { url: stub.url, steps });
    const taken = fixtures.map(({ name }, number) => [name, results[number]?.error === undefined]);
    expect(Object.fromEntries(taken)).toEqual(
      Object.fromEntries(fixtures.map(({ name, python: takes }) => [name, takes])),
    );
    await stub.close();
  });
});
