import { ServeError } from '../errors.ts';
import type { EncodingName } from '../formats/encodings/index.ts';
import type { Wire, WireValue } from '../formats/wire.ts';
import type { EmbeddingsServable, Timings } from '../graph/servable.ts';
import type { TruncationChoice } from './fields.ts';

/** What a client asks of an embeddings route. */
export interface EmbeddingsCall extends TruncationChoice {
  /** The name of a served model; null: the only one. */
  readonly model: string | null;
  /** At least one; well-formed Unicode. */
  readonly inputs: readonly string[];
  /** The request field that held the inputs. */
  readonly param: 'input' | 'inputs';
  readonly encoding: EncodingName;
  /** Wanted size of the embeddings; null: the model's. */
  readonly dimensions: number | null;
  /** Whether embeddings are scaled to length 1; null: as configured. */
  readonly normalize: boolean | null;
}

/** Embeddings before they are written. */
export interface EmbeddingsReply {
  /** ms of the stages. */
  readonly timings: Timings;
  readonly body: (wire: Wire) => WireValue;
}

/**
 * Checks that the wanted size is the model's, where no other is given.
 *
 * @param call - A call that may name a size.
 * @param model - The call's model.
 * @throws {@link ServeError} `invalid_field`.
 */
export function requireOwnDimensions(
  { dimensions }: EmbeddingsCall,
  model: EmbeddingsServable,
): void {
  if (dimensions === null || dimensions === model.dimensions) return;
  throw wrongSize(
    dimensions,
    `other sizes than the model's own are not supported on this route, and that of ${JSON.stringify(model.name)} is ${model.dimensions}; leave "dimensions" out`,
  );
}

/**
 * Checks that the wanted size is one that the model's embeddings can be cut to.
 *
 * @param call - A call that may name a size.
 * @param model - The call's model.
 * @throws {@link ServeError} `invalid_field`.
 */
export function requireFewerDimensions(
  { dimensions }: EmbeddingsCall,
  model: EmbeddingsServable,
): void {
  if (dimensions === null || dimensions <= model.dimensions) return;
  throw wrongSize(
    dimensions,
    `those of ${JSON.stringify(model.name)} have ${model.dimensions}; lower "dimensions" or leave it out`,
  );
}

function wrongSize(dimensions: number, reason: string): ServeError {
  return new ServeError(
    'invalid_field',
    `Cannot give embeddings of ${dimensions} dimensions: ${reason}`,
    { param: 'dimensions' },
  );
}

/**
 * Checks that the model gives a row for each token.
 *
 * @param _call - Any.
 * @param model - The call's model.
 * @throws {@link ServeError} `wrong_node_type`.
 */
export function requireTokenRows(_call: EmbeddingsCall, model: EmbeddingsServable): void {
  if (model.hasTokenRows) return;
  throw new ServeError(
    'wrong_node_type',
    `Cannot give token matrices of the model ${JSON.stringify(model.name)}: its only output is one pooled vector for each text; use /embed`,
    { param: 'model' },
  );
}
