/// <reference lib="es2024.string" />
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { AutoTokenizer, env, PreTrainedTokenizer } from '@xenova/transformers';
import { ServeError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { Handlers } from '../threads/responder.ts';
import { serve } from '../threads/responder.ts';
import { cutText, keptLengths } from './cut.ts';
import {
  parseTokenizerFile,
  parseTokenizerJson,
  readTokenizerFile,
  unusable,
} from './read-file.ts';
import type { EncodeOptions } from './tokenizer.ts';
import type { Json } from './xenova-json.ts';
import { forXenova, isRoberta } from './xenova-json.ts';

/** What the thread is asked for. */
export interface XenovaMethods {
  /** Opens the tokenizer.json at this absolute path; once, and first. Answers its vocabulary's size. */
  readonly open: (file: string) => number;
  readonly encode: (work: EncodeWork) => PackedSequences;
}

/** Inputs on their way to the thread. */
export interface EncodeWork {
  readonly inputs: readonly Input[];
  readonly options: EncodeOptions;
}

/** Sequences on their way back, end to end; all buffers are transferred. */
export interface PackedSequences {
  /** [sum of lengths] */
  readonly ids: Int32Array<ArrayBuffer>;
  /** [sum of lengths], or null where every token has type 0. */
  readonly typeIds: Int32Array<ArrayBuffer> | null;
  /** Tokens of each sequence: [inputs]. */
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** What is used of the library's tokenizer, whose own declarations are `any` in part. */
interface Engine {
  readonly _encode_text: (text: string) => readonly string[];
  readonly post_processor:
    | ((
        first: readonly string[],
        second: readonly string[] | null,
        options: { readonly add_special_tokens: boolean },
      ) => Processed)
    | null;
  readonly model: {
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    readonly convert_tokens_to_ids: (tokens: readonly string[]) => number[];
  };
}

interface Processed {
  readonly tokens: readonly string[];
  readonly token_type_ids?: readonly number[];
}

interface Sequence {
  readonly ids: readonly number[];
  /** Empty where every token has type 0. */
  readonly typeIds: readonly number[];
}

env.allowRemoteModels = false; // No file is asked of the library at all, and so none of the network.

/** A tokenizer.json at work in pure JavaScript; its truncation and padding are never looked at. */
class XenovaTokenizer {
  readonly vocabSize: number;
  readonly #engine: Engine;
  readonly #isTyped: boolean;

  constructor(json: Json, config: Json) {
    const name = String(config['tokenizer_class']).replace(/Fast$/, '');
    const classes = new Map(Object.entries(AutoTokenizer.TOKENIZER_CLASS_MAPPING));
    const TokenizerClass = classes.get(name) ?? PreTrainedTokenizer;
    const engine: unknown = new TokenizerClass(forXenova(json), config);
    this.#engine = engine as Engine;
    this.vocabSize = this.#engine.model.tokens_to_ids.size;
    this.#isTyped = !isRoberta(json['post_processor']);
  }

  encode(input: Input, { addSpecialTokens, truncate }: EncodeOptions): Sequence {
    const [first, second] = typeof input === 'string' ? [input] : [input.first, input.second];
    const options = { add_special_tokens: addSpecialTokens };
    let firstTokens = this.#tokens(first);
    let secondTokens = second === undefined ? null : this.#tokens(second);
    if (truncate !== null) {
      const none = secondTokens === null ? null : [];
      const special = this.#process([], none, options).tokens.length;
      const lengths = { first: firstTokens.length, second: secondTokens?.length ?? 0 };
      const kept = keptLengths(lengths, truncate.maxTokens - special);
      firstTokens = cutText(firstTokens, kept.first, truncate.side);
      secondTokens &&= cutText(secondTokens, kept.second, truncate.side);
    }
    const processed = this.#process(firstTokens, secondTokens, options);
    return this.#sequence(processed, truncate?.maxTokens);
  }

  #tokens(text: string): readonly string[] {
    return this.#engine._encode_text(text.toWellFormed());
  }

  #process(
    first: readonly string[],
    second: readonly string[] | null,
    options: { readonly add_special_tokens: boolean },
  ): Processed {
    const { post_processor: process } = this.#engine;
    return process?.(first, second, options) ?? { tokens: [...first, ...(second ?? [])] };
  }

  #sequence({ tokens, token_type_ids: types }: Processed, maxTokens = Infinity): Sequence {
    const typeIds = this.#isTyped && types?.some((type) => type !== 0) ? types : [];
    return {
      ids: this.#engine.model.convert_tokens_to_ids(tokens).slice(0, maxTokens),
      typeIds: typeIds.slice(0, maxTokens),
    };
  }
}

function pack(sequences: readonly Sequence[]): PackedSequences {
  const lengths = Int32Array.from(sequences, ({ ids }) => ids.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const ids = new Int32Array(total);
  const isTyped = sequences.some(({ typeIds }) => typeIds.length > 0);
  const typeIds = isTyped ? new Int32Array(total) : null;
  let start = 0;
  for (const sequence of sequences) {
    ids.set(sequence.ids, start);
    typeIds?.set(sequence.typeIds, start);
    start += sequence.ids.length;
  }
  return { ids, typeIds, lengths };
}

async function open(file: string): Promise<XenovaTokenizer> {
  const json = parseTokenizerJson(file, await readTokenizerFile(file));
  const configFile = join(dirname(file), 'tokenizer_config.json');
  const config = parseTokenizerFile(configFile, await readTokenizerFile(configFile));
  try {
    return new XenovaTokenizer(json, config);
  } catch (error) {
    throw unusable(file, `the xenova engine refuses it: ${(error as Error).message}`, error);
  }
}

/**
 * The handlers of a thread that tokenizes, for one tokenizer.
 *
 * @returns Handlers of {@link XenovaMethods}.
 */
export function xenovaHandlers(): Handlers<XenovaMethods> {
  let tokenizer: XenovaTokenizer | null = null;
  return {
    open: async (file) => {
      tokenizer = await open(file);
      return { value: tokenizer.vocabSize };
    },
    encode: ({ inputs, options }) => {
      const opened = tokenizer;
      if (opened === null) throw new Error('The tokenizer is not open yet');
      const value = pack(inputs.map((input) => encodeOne(opened, input, options)));
      const { ids, typeIds, lengths } = value;
      const buffers = [ids.buffer, lengths.buffer];
      return { value, transfer: typeIds === null ? buffers : [...buffers, typeIds.buffer] };
    },
  };
}

function encodeOne(tokenizer: XenovaTokenizer, input: Input, options: EncodeOptions): Sequence {
  try {
    return tokenizer.encode(input, options);
  } catch (error) {
    throw new ServeError('internal_error', 'Cannot tokenize the input', { cause: error });
  }
}

if (parentPort !== null) serve<XenovaMethods>(parentPort, xenovaHandlers());
