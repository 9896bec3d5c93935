import { ServeError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { Thread } from '../threads/start-thread.ts';
import { startThread } from '../threads/start-thread.ts';
import { chunks, mayStop } from './chunk.ts';
import type { EncodeOptions, Tokenizer, TokenSequence } from './tokenizer.ts';
import type { PackedSequences, XenovaMethods } from './xenova-worker.ts';

/**
 * Opens a tokenizer.json, and the tokenizer_config.json beside it, with the pure JavaScript of
 * `@xenova/transformers`, in a thread of its own. It uses no network. A thread that dies fails its
 * open calls; the next call starts another.
 *
 * @param file - Absolute path of a tokenizer.json.
 * @param workerUrl - Of the built `xenova-worker.js`.
 * @returns The tokenizer.
 * @throws {@link StartError} `config`: a file is missing, or cannot be used.
 */
export async function openXenova(file: string, workerUrl: URL): Promise<Tokenizer> {
  function start(): Promise<OpenedThread> {
    return startOpened(file, workerUrl);
  }
  return new XenovaTokenizer(await start(), start);
}

interface OpenedThread {
  readonly thread: Thread<XenovaMethods>;
  readonly vocabSize: number;
}

async function startOpened(file: string, workerUrl: URL): Promise<OpenedThread> {
  const thread = startThread<XenovaMethods>(workerUrl);
  try {
    return { thread, vocabSize: await thread.caller.call('open', file) };
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

class XenovaTokenizer implements Tokenizer {
  readonly vocabSize: number;
  readonly #start: () => Promise<OpenedThread>;
  /** null: it has ended, and nobody has asked since. */
  #opened: Promise<OpenedThread> | null = null;
  #isClosed = false;

  constructor(opened: OpenedThread, start: () => Promise<OpenedThread>) {
    this.vocabSize = opened.vocabSize;
    this.#start = start;
    void this.#adopt(Promise.resolve(opened));
  }

  #adopt(opened: Promise<OpenedThread>): Promise<OpenedThread> {
    this.#opened = opened;
    const forget = (): void => {
      if (this.#opened === opened) this.#opened = null;
    };
    void opened.then(({ thread }) => thread.ended).then(forget, forget);
    return opened;
  }

  async encode(
    inputs: readonly Input[],
    options: EncodeOptions,
  ): Promise<readonly TokenSequence[]> {
    const sequences: TokenSequence[] = [];
    for (const chunk of chunks(inputs)) {
      sequences.push(...unpack(await this.#ask(chunk, options)));
      if (mayStop(sequences, options)) break;
    }
    return sequences;
  }

  async #ask(inputs: readonly Input[], options: EncodeOptions): Promise<PackedSequences> {
    if (this.#isClosed) throw new ServeError('internal_error', 'Cannot tokenize: it is closed');
    try {
      const { thread } = await (this.#opened ?? this.#adopt(this.#start()));
      return await thread.caller.call('encode', { inputs, options });
    } catch (error) {
      if (error instanceof ServeError) throw error;
      throw new ServeError('internal_error', 'Cannot tokenize the input', { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened;
    await opened?.thread.terminate();
  }
}

function unpack({ ids, typeIds, lengths }: PackedSequences): readonly TokenSequence[] {
  let start = 0;
  return Array.from(lengths, (length) => {
    const end = start + length;
    const types = typeIds?.subarray(start, end) ?? null;
    const sequence = {
      ids: ids.subarray(start, end),
      typeIds: types?.some((type) => type !== 0) ? types : null,
    };
    start = end;
    return sequence;
  });
}
