import { ServeError } from '../errors.ts';
import type { Input } from '../input.ts';
import { MAX_PADDED_BYTES, TOKEN_ID_BYTES } from './constants.ts';

/** Inputs of a request, not yet checked against a model's limits. */
export interface Submission {
  readonly inputs: readonly Input[];
  /** The request field that held them, named in errors. */
  readonly param: string;
}

/** What a model takes in one request. */
export interface BatchLimits {
  /** Inputs. */
  readonly maxBatchSize: number;
  /** Tokens of one row, special tokens included. */
  readonly contextLength: number;
}

declare const admitted: unique symbol;

/** Inputs whose number and worst-case padded size are within a model's limits. */
export type AdmittedBatch = readonly Input[] & { readonly [admitted]: true };

/**
 * Size of the token id tensor if every row were as long as the context, in bytes.
 *
 * Worked numbers: 1 GiB is reached by 262,144 inputs at a context of 512 tokens, 16,384 at 8,192 and
 * 1,024 at 131,072.
 *
 * @param inputs - Rows of the tensor.
 * @param contextLength - Columns of the tensor, in tokens.
 * @returns Bytes of `[inputs, contextLength]` as int64.
 */
export function paddedBytes(inputs: number, contextLength: number): number {
  return inputs * contextLength * TOKEN_ID_BYTES;
}

/**
 * Checks the limits that need no tokenization, in the order of the contract: inputs, then padded size.
 *
 * @param submission - Inputs of a request.
 * @param limits - The model's limits.
 * @returns The same inputs.
 * @throws {@link ServeError} `batch_too_large`, `tensor_too_large`.
 */
export function admit({ inputs, param }: Submission, limits: BatchLimits): AdmittedBatch {
  const { maxBatchSize, contextLength } = limits;
  if (inputs.length > maxBatchSize) {
    throw new ServeError(
      'batch_too_large',
      `Cannot process ${inputs.length} inputs in one request: max_batch_size is ${maxBatchSize}; split the request, or raise max_batch_size in the model's graph or by --max_batch_size`,
      { param },
    );
  }
  const bytes = paddedBytes(inputs.length, contextLength);
  if (bytes > MAX_PADDED_BYTES) {
    throw new ServeError(
      'tensor_too_large',
      `Cannot process ${inputs.length} inputs in one request: padded to the context length of ${contextLength} tokens they may take ${bytes} bytes, and the limit of a padded tensor is ${MAX_PADDED_BYTES} bytes; split the request into at most ${Math.floor(MAX_PADDED_BYTES / (contextLength * TOKEN_ID_BYTES))} inputs, or lower max_length in the model's graph`,
      { param },
    );
  }
  return inputs as AdmittedBatch;
}
