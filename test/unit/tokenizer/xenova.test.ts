import { openXenova } from '../../../src/tokenizer/xenova.ts';

const OPTIONS = { addSpecialTokens: true, truncate: null };

/** A thread that answers with a text's length, and ends itself on the text `exit`. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    function encode({ inputs: [text] }) {
      if (text === 'exit') process.exit(7);
      if (text === 'typed') {
        const ids = Int32Array.of(1, 2, 3);
        return { ids, typeIds: Int32Array.of(0, 0, 1), lengths: Int32Array.of(2, 1) };
      }
      return { ids: Int32Array.of(text.length), typeIds: null, lengths: Int32Array.of(1) };
    }
    parentPort.on('message', ({ id, method, args }) => {
      parentPort.postMessage({ id, value: method === 'open' ? 42 : encode(args) });
    });
  `)}`,
);

describe('openXenova()', () => {
  test('asks a thread, and takes its answer apart', async () => {
    const tokenizer = await openXenova('tokenizer.json', WORKER);
    expect(tokenizer.vocabSize).toBe(42);
    await expect(tokenizer.encode(['typed'], OPTIONS)).resolves.toEqual([
      { ids: Int32Array.of(1, 2), typeIds: null },
      { ids: Int32Array.of(3), typeIds: Int32Array.of(1) },
    ]);
    await tokenizer.close();
  });

  test('fails the open calls of a thread that ends, and starts another for the next', async () => {
    const tokenizer = await openXenova('tokenizer.json', WORKER);
    const calls = ['exit', 'lost'].map((text) => tokenizer.encode([text], OPTIONS));
    const reason = {
      code: 'internal_error',
      message: 'Cannot tokenize the input',
      cause: { name: 'ThreadEndedError', exitCode: 7 },
    };
    await expect(Promise.allSettled(calls)).resolves.toMatchObject([{ reason }, { reason }]);
    await expect(tokenizer.encode(['four'], OPTIONS)).resolves.toEqual([
      { ids: Int32Array.of(4), typeIds: null },
    ]);
    await tokenizer.close();
  });

  test('refuses to encode when it is closed, and may be closed again', async () => {
    const tokenizer = await openXenova('tokenizer.json', WORKER);
    await tokenizer.close();
    await tokenizer.close();
    await expect(tokenizer.encode(['text'], OPTIONS)).rejects.toMatchObject({
      code: 'internal_error',
    });
  });

  test('rejects where the thread cannot start', async () => {
    const opening = openXenova('tokenizer.json', new URL('file:///no/such/worker.js'));
    await expect(opening).rejects.toMatchObject({ name: 'ThreadEndedError' });
  });
});
