import type { Input } from '../input.ts';

/** The tokens of one input, without padding. */
export interface TokenSequence {
  /** [tokens] */
  readonly ids: Int32Array;
  /** [tokens], or null where every token has type 0. */
  readonly typeIds: Int32Array | null;
  /** For drills: the worker that gets the row dies. */
  readonly crash?: boolean;
}

/** How to cut a sequence that is too long. */
export interface Truncation {
  /** Tokens that may stay, special tokens included. */
  readonly maxTokens: number;
  /** Which end of the text is cut; of a pair, the second text is cut first. */
  readonly side: 'left' | 'right';
}

/** How inputs become tokens. */
export interface EncodeOptions {
  readonly addSpecialTokens: boolean;
  /** null: nothing is ever cut. */
  readonly truncate: Truncation | null;
  /** Encoding may end after an input with more tokens than this: the rest has no sequence then. */
  readonly stopAbove?: number;
}

/** Which tokenizer to open. */
export interface TokenizerOptions {
  /** Absolute path of a tokenizer.json. */
  readonly file: string;
  readonly engine: 'tokenizers' | 'xenova';
}

/** A tokenizer.json at work; its own truncation and padding are switched off. */
export interface Tokenizer {
  /** Ids are below it, unless the file leaves gaps. */
  readonly vocabSize: number;
  /** Encodes without blocking the main thread for long. One sequence for each input, in order. */
  readonly encode: (
    inputs: readonly Input[],
    options: EncodeOptions,
  ) => Promise<readonly TokenSequence[]>;
  readonly close: () => Promise<void>;
}
