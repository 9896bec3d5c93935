import { ServeError } from '../errors.ts';
import { CHARACTERS_PER_TOKEN, MAX_PAIRED_CHARACTERS } from './constants.ts';

/** A query that will be read once for each document. */
export interface PairedQuery {
  /** UTF-16 units of the query. */
  readonly characters: number;
  readonly documents: number;
  /** Tokens of one row, special tokens included. */
  readonly contextLength: number;
}

/**
 * Checks, before tokenization, that a query which is long for the model isn't read very often.
 *
 * Worked numbers: at a context of 512 tokens a query of up to 4,096 characters may have any number of
 * documents, and one of 8,000 characters 1,000.
 *
 * @param query - Of a request.
 * @throws {@link ServeError} `input_too_long`, with the param `query`.
 */
export function requirePairable({ characters, documents, contextLength }: PairedQuery): void {
  if (characters <= CHARACTERS_PER_TOKEN * contextLength) return;
  if (characters * documents <= MAX_PAIRED_CHARACTERS) return;
  throw new ServeError(
    'input_too_long',
    `Cannot score ${documents} documents by a query of ${characters} characters: it would be read once for each, ${characters * documents} characters, and the limit is ${MAX_PAIRED_CHARACTERS}; shorten the query, or send at most ${Math.floor(MAX_PAIRED_CHARACTERS / characters)} documents in one request`,
    { param: 'query' },
  );
}
