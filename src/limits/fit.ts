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
  /** For each input of the request, in order, the index of its sequence. */
  readonly positions: readonly number[];
  /** Sequences of which only a part was tokenized. */
  readonly parts?: ReadonlySet<number>;
}

/**
 * Checks that every sequence is within the context length.
 *
 * @param sequences - Of the request's inputs; equal inputs may share one.
 * @param options - The limit, and the field to name.
 * @returns The same sequences.
 * @throws {@link ServeError} `input_too_long`: names the first input that is too long.
 */
export function fit(sequences: readonly TokenSequence[], options: FitOptions): FittedRows {
  const { contextLength, param, positions, parts } = options;
  const lengths = positions.map((at) => sequences[at]?.ids.length ?? 0);
  const index = lengths.findIndex((length) => length > contextLength);
  if (index >= 0) {
    const atLeast = parts?.has(positions[index] ?? -1) === true ? 'at least ' : '';
    throw new ServeError(
      'input_too_long',
      `Cannot process input ${index}: it has ${atLeast}${lengths[index] ?? 0} tokens with special tokens, and the context length is ${contextLength}; shorten or split it, or set truncate: true`,
      { param },
    );
  }
  return sequences as FittedRows;
}
