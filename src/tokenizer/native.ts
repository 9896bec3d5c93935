/// <reference lib="es2024.string" />
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { ServeError } from '../errors.ts';
import type { Input } from '../input.ts';
import { chunks, mayStop } from './chunk.ts';
import { keptTokens } from './cut.ts';
import { parseTokenizerJson, readTokenizerFile, unusable } from './read-file.ts';
import type { EncodeOptions, Tokenizer, TokenSequence } from './tokenizer.ts';

/** An `Encoding` of the library: each getter copies its numbers to a new array. */
interface Encoding {
  readonly getLength: () => number;
  readonly getIds: () => number[];
  readonly getTypeIds: () => number[];
  readonly getSequenceIds: () => readonly (number | null | undefined)[];
}

/** What is used of the library's `Tokenizer`, whose own declarations are `any` in part. */
interface Engine {
  readonly getVocabSize: (withAddedTokens: boolean) => number;
  readonly encode: (
    first: string,
    second: string | null,
    options: { readonly addSpecialTokens: boolean },
  ) => Promise<Encoding>;
  readonly encodeBatch: (
    texts: readonly string[],
    options: { readonly addSpecialTokens: boolean },
  ) => Promise<readonly Encoding[]>;
}

/** Whether a text, or a pair, can get other token types than 0. */
interface Typed {
  readonly single: boolean;
  readonly pair: boolean;
}

/**
 * Opens a tokenizer.json with Hugging Face's Rust code. Encoding runs off the main thread: one input on
 * a thread of libuv's pool, several also on those of Rayon's. The main thread copies texts in and
 * numbers out: 35 µs for a short text and 70 µs for one of 500 tokens, measured. Opening blocks it for
 * about 1 ms per 20 kB of the file.
 *
 * @param file - Absolute path of a tokenizer.json.
 * @returns The tokenizer.
 * @throws {@link StartError} `config`: there is no such file, or it cannot be used.
 */
export async function openNative(file: string): Promise<Tokenizer> {
  const text = await readTokenizerFile(file);
  const engine = parse(file, text);
  const typed = {
    single: await hasTypes(engine, null),
    pair: await hasTypes(engine, PROBE),
  };
  return new NativeTokenizer(engine, typed);
}

function parse(file: string, text: string): Engine {
  try {
    const tokenizer = RustTokenizer.fromString(text);
    tokenizer.disableTruncation();
    tokenizer.disablePadding();
    const engine: unknown = tokenizer;
    return engine as Engine;
  } catch (error) {
    parseTokenizerJson(file, text); // Says it better, where it is no tokenizer.json at all.
    throw unusable(file, `the tokenizers engine refuses it: ${(error as Error).message}`, error);
  }
}

const PROBE = 'a';

async function hasTypes(engine: Engine, second: string | null): Promise<boolean> {
  const encoding = await engine.encode(PROBE, second, { addSpecialTokens: true });
  const hasText = encoding.getSequenceIds().some((id) => typeof id === 'number');
  return !hasText || encoding.getTypeIds().some((type) => type !== 0);
}

class NativeTokenizer implements Tokenizer {
  readonly vocabSize: number;
  readonly #engine: Engine;
  readonly #typed: Typed;

  constructor(engine: Engine, typed: Typed) {
    this.vocabSize = engine.getVocabSize(true);
    this.#engine = engine;
    this.#typed = typed;
  }

  async encode(
    inputs: readonly Input[],
    options: EncodeOptions,
  ): Promise<readonly TokenSequence[]> {
    const sequences: TokenSequence[] = [];
    for (const chunk of chunks(inputs)) {
      const encodings = await this.#encode(chunk, options);
      for (const [index, encoding] of encodings.entries()) {
        const isPair = typeof chunk[index] !== 'string';
        sequences.push(this.#sequence(encoding, isPair, options));
      }
      if (mayStop(sequences, options)) break;
    }
    return sequences;
  }

  // The engine is never told of a truncation: that would be shared by concurrent requests.
  async #encode(chunk: readonly Input[], options: EncodeOptions): Promise<readonly Encoding[]> {
    const { addSpecialTokens } = options;
    try {
      if (chunk.length > 1 && chunk.every((input) => typeof input === 'string')) {
        const texts = chunk.map((text) => text.toWellFormed());
        return await this.#engine.encodeBatch(texts, { addSpecialTokens });
      }
      // A batch takes no pairs; and one text alone need not wait for Rayon's threads.
      const encodings = chunk.map((input) => {
        const [first, second] = typeof input === 'string' ? [input] : [input.first, input.second];
        const other = second?.toWellFormed() ?? null;
        return this.#engine.encode(first.toWellFormed(), other, { addSpecialTokens });
      });
      return await Promise.all(encodings);
    } catch (error) {
      throw new ServeError('internal_error', 'Cannot tokenize the input', { cause: error });
    }
  }

  #sequence(encoding: Encoding, isPair: boolean, options: EncodeOptions): TokenSequence {
    const { addSpecialTokens, truncate } = options;
    const isTyped = isPair ? this.#typed.pair || !addSpecialTokens : this.#typed.single;
    const ids = encoding.getIds();
    const types = isTyped ? encoding.getTypeIds() : null;
    if (truncate === null || ids.length <= truncate.maxTokens) {
      return { ids: toInt32(ids), typeIds: types && nullIfZero(toInt32(types)) };
    }
    const kept = keptTokens(encoding.getSequenceIds(), truncate);
    return { ids: pick(ids, kept), typeIds: types && nullIfZero(pick(types, kept)) };
  }

  close(): Promise<void> {
    return Promise.resolve(); // The engine goes with its last reference.
  }
}

function nullIfZero(typeIds: Int32Array): Int32Array | null {
  return typeIds.some((type) => type !== 0) ? typeIds : null;
}

// A loop, since it was measured to be faster on the library's arrays than the constructor or set().
function toInt32(numbers: readonly number[]): Int32Array {
  const copy = new Int32Array(numbers.length);
  for (let index = 0; index < numbers.length; index++) copy[index] = numbers[index] ?? 0;
  return copy;
}

function pick(numbers: readonly number[], indexes: readonly number[]): Int32Array {
  return Int32Array.from(indexes, (index) => numbers[index] ?? 0);
}
