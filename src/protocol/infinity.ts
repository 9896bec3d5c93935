import { ENCODINGS, type EncodingName } from '../formats/encodings/index.ts';
import type { EmbedResult } from '../graph/servable.ts';
import { bodyCheck } from './body-check.ts';
import type { EmbeddingsCall, EmbeddingsReply } from './embeddings-call.ts';
import { textsOf } from './embeddings-input.ts';
import {
  DEFAULT_ENCODING,
  DIMENSIONS_FIELD,
  encodingField,
  OPTIONAL_MODEL_FIELD,
  TEXTS_FIELD,
  TRUNCATION_FIELDS,
  truncationOf,
  type TruncationBody,
} from './fields.ts';

/** The fields of `POST /embed_all`, as a JSON schema. Others are ignored; null means absent. */
export const EMBED_ALL_SCHEMA = {
  type: 'object',
  required: ['inputs'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    inputs: TEXTS_FIELD,
    encoding_format: encodingField(['base64', 'tensor']),
    ...TRUNCATION_FIELDS,
  },
} as const;

/** The fields of `POST /embed`, as a JSON schema. Others are ignored; null means absent. */
export const EMBED_SCHEMA = {
  ...EMBED_ALL_SCHEMA,
  properties: {
    ...EMBED_ALL_SCHEMA.properties,
    normalize: {
      type: ['boolean', 'null'],
      description: "Whether embeddings are scaled to length 1. Default: as the model's graph says.",
      reason: 'must be true or false',
    },
    dimensions: DIMENSIONS_FIELD,
  },
} as const;

const requireEmbed = bodyCheck(EMBED_SCHEMA, ['inputs']);
const requireEmbedAll = bodyCheck(EMBED_ALL_SCHEMA, ['inputs']);

/** A body that passed {@link EMBED_ALL_SCHEMA}. */
interface EmbedAllBody extends TruncationBody {
  readonly model?: string | null;
  readonly inputs?: unknown;
  readonly encoding_format?: EncodingName | null;
}

/** A body that passed {@link EMBED_SCHEMA}. */
interface EmbedBody extends EmbedAllBody {
  readonly normalize?: boolean | null;
  readonly dimensions?: number | null;
}

/**
 * Reads the body of `POST /embed`.
 *
 * @param body - Parsed JSON.
 * @returns The call; `encoding` is `float` where the client named none.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseEmbed(body: unknown): EmbeddingsCall {
  requireEmbed(body);
  const { normalize, dimensions } = body as EmbedBody;
  const call = callOf(body as EmbedBody);
  return { ...call, normalize: normalize ?? null, dimensions: dimensions ?? null };
}

/**
 * Reads the body of `POST /embed_all`, which has neither size nor scale to choose.
 *
 * @param body - Parsed JSON.
 * @returns The call; `encoding` is `float` where the client named none.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseEmbedAll(body: unknown): EmbeddingsCall {
  requireEmbedAll(body);
  return callOf(body as EmbedAllBody);
}

function callOf(body: EmbedAllBody): EmbeddingsCall {
  const { model, inputs, encoding_format: encoding } = body;
  return {
    model: model ?? null,
    inputs: textsOf(inputs, 'inputs'),
    param: 'inputs',
    encoding: encoding ?? DEFAULT_ENCODING,
    dimensions: null,
    ...truncationOf(body),
    normalize: null,
  };
}

/**
 * The answer of the Infinity routes.
 *
 * @param call - What was asked.
 * @param result - A vector or token matrix for each input of the call, in order.
 * @returns A bare list; encoded when `body` is called.
 */
export function tensorsReply(
  { encoding }: EmbeddingsCall,
  { embeddings, timings }: EmbedResult,
): EmbeddingsReply {
  const { encode } = ENCODINGS[encoding];
  return { timings, body: (wire) => embeddings.map((tensor) => encode(tensor, wire)) };
}
