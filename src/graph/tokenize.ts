import type { BatchLimits } from '../limits/admit.ts';
import { MAX_TOKENIZED_TOKENS } from '../limits/constants.ts';
import { requireTokenizable } from '../limits/tokenized.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { ServableBase } from './servable.ts';
import { shorten } from './shorten.ts';

/** What is needed of a model to tokenize with it. */
export interface TokenizeParts {
  readonly tokenizer: Tokenizer;
  readonly limits: BatchLimits;
}

/**
 * Makes the `tokenize` of a servable, in bounded memory whatever the texts are.
 *
 * @param parts - Of the model.
 * @returns The function.
 */
export function tokenizeWith({ tokenizer, limits }: TokenizeParts): ServableBase['tokenize'] {
  const maxTokens = Math.max(MAX_TOKENIZED_TOKENS, limits.contextLength);
  return async (texts, { addSpecialTokens, truncate, param }) => {
    const cut = truncate !== null && truncate.maxTokens <= maxTokens ? truncate : null;
    const { inputs, parts } = await shorten(tokenizer, texts, cut ?? { maxTokens, side: 'right' });
    const sequences = await tokenizer.encode(inputs, {
      addSpecialTokens,
      truncate: cut,
      stopAbove: maxTokens,
    });
    requireTokenizable(sequences, { maxTokens, param, parts });
    return sequences;
  };
}
