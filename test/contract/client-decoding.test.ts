import { PerformanceClient, type PreferenceOptions } from '../../src/client/index.ts';
import { installPlatform } from '../../src/client/platform.ts';
import { NODE_PLATFORM, zstdDecoder } from '../../src/client/platform-node.ts';
import { ANSWER_FIXTURES } from '../support/answer-fixtures.ts';
import { zstdFrame } from '../support/coded-fixtures.ts';
import type { AnswerFixture, Expected } from '../support/fixture-row.ts';
import { RecordingStub } from '../support/recording-stub.ts';

let fixture: AnswerFixture;
let stub: RecordingStub;
let client: PerformanceClient;

beforeAll(async () => {
  stub = await RecordingStub.open((_request, response) => {
    response.writeHead(fixture.status ?? 200, {
      'content-type': fixture.type,
      ...(fixture.coding === undefined ? {} : { 'content-encoding': fixture.coding }),
    });
    response.end(fixture.body);
  });
  client = new PerformanceClient(stub.url, 'key');
});

afterAll(async () => {
  await client.close();
  await stub.close();
});

/** Sends the call of a fixture; resolves to what its value is compared with. */
async function send(preference: PreferenceOptions): Promise<unknown> {
  const texts = Array<string>(fixture.texts).fill('a');
  switch (fixture.call) {
    case 'embed': {
      const { data } = await client.embed(texts, 'm', null, null, null, preference);
      expect(data.map(({ index }) => index)).toEqual(texts.map((_, i) => i));
      return data[0]?.embedding;
    }
    case 'rerank':
      return (await client.rerank('q', texts, null, null, null, null, null, preference)).data;
    case 'classify':
      return (await client.classify(texts, null, null, null, null, preference)).data;
    case 'any':
      return (await client.batchPost('/x', [1], preference)).data[0];
  }
}

async function check(expected: Expected, preference: PreferenceOptions): Promise<void> {
  const before = stub.requests.length;
  if (expected === 'refused') {
    await expect(send(preference)).rejects.toMatchObject({
      kind: 'serialization',
      code: 'GenericFailure',
      message: expect.stringMatching(/^Failed to (?:parse|decompress) response/) as string,
      batchIndex: 0,
    });
  } else if (preference.vectors === 'float32') {
    const row = (await send(preference)) as Float32Array;
    expect(row).toBeInstanceOf(Float32Array);
    expect(Array.from(row)).toEqual(expected.value);
  } else expect(await send(preference)).toEqual(expected.value);
  expect(stub.requests).toHaveLength(before + 1);
}

const EMBED = ANSWER_FIXTURES.filter(({ call }) => call === 'embed');

describe.each(['native zstd', 'fzstd'])('answers, with %s where there is a choice', (decoder) => {
  beforeAll(() => {
    if (decoder === 'fzstd') installPlatform({ ...NODE_PLATFORM, unzstd: zstdDecoder(undefined) });
  });

  afterAll(() => {
    installPlatform(NODE_PLATFORM);
  });

  test.each(ANSWER_FIXTURES)('$name', async (one) => {
    fixture = one;
    await check(one.array, {});
  });

  test.each(EMBED)("$name, with vectors: 'float32'", async (one) => {
    fixture = one;
    await check(one.float32 ?? one.array, { vectors: 'float32' });
  });
});

test('the names of the fixtures differ', () => {
  const names = ANSWER_FIXTURES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('headers of a decompressed answer do not speak of its compression', async () => {
  fixture = ANSWER_FIXTURES.find(({ name }) => name === 'gzip') ?? fixture;
  const { response_headers: headers } = await client.embed(['a'], 'm');
  expect(headers[0]).toHaveProperty('content-type');
  expect(headers[0]).not.toHaveProperty('content-encoding');
  expect(headers[0]).not.toHaveProperty('content-length');
});

test('an error body is decompressed, too', async () => {
  fixture = {
    name: 'error-zstd',
    call: 'any',
    type: 'application/json',
    coding: 'zstd',
    status: 400,
    body: zstdFrame(Buffer.from('{"error":{"message":"no","code":"c"}}')),
    texts: 1,
    python: true,
    array: 'refused',
  };
  await expect(send({})).rejects.toMatchObject({
    kind: 'http',
    serverMessage: 'no',
    serverCode: 'c',
    body: '{"error":{"message":"no","code":"c"}}',
  });
});

describe('a bound on answers', () => {
  test.each([
    ['as it comes', undefined, Buffer.alloc(2000, 32)],
    ['of zstd', 'zstd', zstdFrame(Buffer.alloc(2000, 32), 20)],
  ])('%s', async (_, coding, body) => {
    fixture = {
      name: 'large',
      call: 'any',
      type: 'application/json',
      ...(coding === undefined ? {} : { coding }),
      body,
      texts: 1,
      python: true,
      array: 'refused',
    };
    const bounded = new PerformanceClient(stub.url, { apiKey: 'key', maxAnswerBytes: 1000 });
    await expect(bounded.batchPost('/x', [1])).rejects.toMatchObject({ kind: 'serialization' });
    await bounded.close();
  });
});
