import { ServeError } from '../errors.ts';
import type { TokenSequence } from '../tokenizer/tokenizer.ts';

declare const fitted: unique symbol;

/** Token sequences that are all within a model's context length. */
export type FittedRows = readonly TokenSequence[] & { readonly [fitted]: true };

/** What a row may be, and what the request calls its inputs. */
export interface FitOptions {
  /** Tokens of one row, special tokens included. */
  readonly contextLength: number;
  /** The request field that held the inputs, named in errors. */
  readonly param: string;
}

/**
 * Checks that every sequence is within the context length.
 *
 * @param sequences - One for each input, in order.
 * @param options - The limit, and the field to name.
 * @returns The same sequences.
 * @throws {@link ServeError} `input_too_long`: names the first index that is too long.
 */
export function fit(sequences: readonly TokenSequence[], options: FitOptions): FittedRows {
  const { contextLength, param } = options;
  const index = sequences.findIndex(({ ids }) => ids.length > contextLength);
  const tooLong = sequences[index];
  if (tooLong !== undefined) {
    throw new ServeError(
      'input_too_long',
      `Cannot process input ${index}: it has ${tooLong.ids.length} tokens with special tokens, and the context length is ${contextLength}; shorten or split it, or set truncate: true`,
      { param },
    );
  }
  return sequences as FittedRows;
}
