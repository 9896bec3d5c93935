import { ServeError } from '../errors.ts';
import { FLOAT32_BYTES, MAX_ANSWER_BYTES } from './constants.ts';

/** The token matrices that a request would be answered with. */
export interface TokenMatrices {
  /** Rows of all matrices: the tokens of all inputs, equal inputs as often as they came. */
  readonly tokens: number;
  /** Columns. */
  readonly dimensions: number;
  /** The request field that held the inputs, named in errors. */
  readonly param: string;
}

/**
 * Checks the size of an answer that holds a vector for each token, before they are computed.
 *
 * Worked numbers: at 384 dimensions 256 MiB are reached by 174,762 tokens, which are 341 inputs of 512.
 *
 * @param matrices - Their size in numbers.
 * @throws {@link ServeError} `answer_too_large`.
 */
export function requireAnswerSize({ tokens, dimensions, param }: TokenMatrices): void {
  const bytes = tokens * dimensions * FLOAT32_BYTES;
  if (bytes <= MAX_ANSWER_BYTES) return;
  const allowed = Math.floor(MAX_ANSWER_BYTES / (dimensions * FLOAT32_BYTES));
  throw new ServeError(
    'answer_too_large',
    `Cannot give token matrices of ${tokens} tokens and ${dimensions} dimensions: they take ${bytes} bytes, and the limit of an answer is ${MAX_ANSWER_BYTES} bytes; send at most ${allowed} tokens in one request: fewer or shorter inputs`,
    { param },
  );
}
