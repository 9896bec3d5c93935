import { ServeError } from '../../errors.ts';
import type { Input } from '../../input.ts';
import type { OpenModel } from '../open-model.ts';
import { shorten } from '../shorten.ts';

/**
 * Checks that a query is within the context length without a document: only documents are cut.
 *
 * @param model - Whose tokenizer and context length count.
 * @param query - As the model reads it beside an empty document.
 * @throws {@link ServeError} `input_too_long`, with the param `query`.
 */
export async function requireQueryFits(
  { tokenizer, limits: { contextLength } }: Pick<OpenModel, 'tokenizer' | 'limits'>,
  query: Input,
): Promise<void> {
  const cut = { maxTokens: contextLength, side: 'right' } as const;
  const { inputs, parts } = await shorten(tokenizer, [query], cut);
  const options = { addSpecialTokens: true, truncate: null };
  const [sequence] = await tokenizer.encode(inputs, options);
  const tokens = sequence?.ids.length ?? 0;
  if (tokens <= contextLength) return;
  throw new ServeError(
    'input_too_long',
    `Cannot score documents by the query: it has ${parts.size > 0 ? 'at least ' : ''}${tokens} tokens with special tokens, and the context length is ${contextLength}; shorten the query, as truncate cuts documents only`,
    { param: 'query' },
  );
}
