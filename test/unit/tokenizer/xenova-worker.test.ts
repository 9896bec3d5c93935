import { resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { Caller } from '../../../src/threads/caller.ts';
import { serve } from '../../../src/threads/responder.ts';
import type { XenovaMethods } from '../../../src/tokenizer/xenova-worker.ts';
import { xenovaHandlers } from '../../../src/tokenizer/xenova-worker.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');
const OPTIONS = { addSpecialTokens: true, truncate: null };

let client: MessagePort;
let caller: Caller<XenovaMethods>;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  client = port1;
  caller = new Caller<XenovaMethods>(port1);
  serve<XenovaMethods>(port2, xenovaHandlers());
});

afterEach(() => {
  client.close();
});

describe('xenovaHandlers()', () => {
  test('opens a tokenizer and answers with the size of its vocabulary', async () => {
    const file = resolve(FIXTURES, 'tiny-roberta-embeddings/tokenizer.json');
    await expect(caller.call('open', file)).resolves.toBe(600);
  });

  test('packs sequences end to end, with types where any is not zero', async () => {
    await caller.call('open', resolve(FIXTURES, 'tiny-reranker/tokenizer.json'));
    const inputs = ['a', { first: 'a', second: 'a' }];
    const packed = await caller.call('encode', { inputs, options: OPTIONS });
    expect([...packed.lengths]).toEqual([3, 5]);
    expect(packed.ids).toHaveLength(8);
    expect([...(packed.typeIds ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    const single = await caller.call('encode', { inputs: ['a'], options: OPTIONS });
    expect(single.typeIds).toBeNull();
  });

  test('refuses to encode before it is open', async () => {
    const call = caller.call('encode', { inputs: ['a'], options: OPTIONS });
    await expect(call).rejects.toThrow('The tokenizer is not open yet');
  });

  test('answers with a ServeError where the library fails on an input', async () => {
    await caller.call('open', resolve(FIXTURES, 'tiny-reranker/tokenizer.json'));
    const call = caller.call('encode', { inputs: [7 as unknown as string], options: OPTIONS });
    await expect(call).rejects.toMatchObject({ code: 'internal_error' });
  });
});
