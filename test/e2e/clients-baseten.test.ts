/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { AnswerReader, numbersOf } from '../support/answer-reader.ts';
import { describeClients } from '../support/foreign-clients.ts';
import { expectOrdered, manyTexts, type ManyTexts } from '../support/many-texts.ts';
import { NPM_PERFORMANCE_CLIENT, npmPerformanceClient } from '../support/npm-performance-client.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';

// Of some numbers the client reads another float64, which is the same float32.
function vectorsOf(list: unknown): readonly Float32Array[] {
  return (list as readonly unknown[]).map((vector) => numbersOf(vector, 'float'));
}

describeClients([NPM_PERFORMANCE_CLIENT], () => {
  let server: ServerProcess;
  let reader: AnswerReader;
  let many: ManyTexts;
  beforeAll(async () => {
    server = await startServerProcess();
    reader = new AnswerReader(server.url);
    many = await manyTexts(reader);
  }, 60_000);
  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test.each([
    ['by default', []],
    ['as floats, 7 texts in each of 64 requests at a time', ['float', null, null, 64, 7]],
  ])('embeds 1,000 texts in order, %s', async (_name, options) => {
    const { texts, tokens } = many;
    const client = npmPerformanceClient(server.url);
    const { data, model, usage } = await client.embed(texts, MODEL, ...options);
    expect(model).toBe(MODEL);
    expect(usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    expect(data.map(({ index }) => index)).toEqual(texts.map((_text, at) => at));
    expectOrdered(
      data.map(({ embedding }) => embedding),
      many,
    );
  });

  test('posts bodies of the caller', async () => {
    const bodies = [{ inputs: ['hello'] }, { inputs: ['a', 'b'], dimensions: 2 }];
    const { data } = await npmPerformanceClient(server.url).batchPost('/embed', bodies);
    expect(data).toHaveLength(bodies.length);
    for (const [at, body] of bodies.entries()) {
      const expected = await reader.ask('/embed', body);
      expect(vectorsOf(data[at])).toEqual(vectorsOf(expected));
    }
  });

  test('shows why a request is refused, without sending it again', async () => {
    const call = npmPerformanceClient(server.url).embed(['a '.repeat(511)], MODEL);
    await expect(call).rejects.toThrow(/400.*input 0.*513 tokens.*512/);
  });
});
