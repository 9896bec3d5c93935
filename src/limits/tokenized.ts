import { ServeError } from '../errors.ts';
import type { TokenSequence } from '../tokenizer/tokenizer.ts';

/** What a text may be that is only tokenized. */
export interface TokenizedLimits {
  /** Tokens of one text. */
  readonly maxTokens: number;
  /** The request field that held the texts, named in errors. */
  readonly param: string;
  /** Sequences of which only a part was tokenized. */
  readonly parts: ReadonlySet<number>;
}

/**
 * Checks that no sequence is longer than what one text may be.
 *
 * @param sequences - Of the request's texts, in order.
 * @param limits - The limit, and the field to name.
 * @throws {@link ServeError} `input_too_long`: names the first text that is too long.
 */
export function requireTokenizable(
  sequences: readonly TokenSequence[],
  { maxTokens, param, parts }: TokenizedLimits,
): void {
  const index = sequences.findIndex(({ ids }) => ids.length > maxTokens);
  if (index < 0) return;
  const atLeast = parts.has(index) ? 'at least ' : '';
  throw new ServeError(
    'input_too_long',
    `Cannot tokenize input ${index}: it has ${atLeast}${sequences[index]?.ids.length ?? 0} tokens, and the limit of one text is ${maxTokens}; split it, or set max_length to at most ${maxTokens}`,
    { param },
  );
}
