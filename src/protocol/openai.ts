import { ENCODINGS, type EncodingName } from '../formats/encodings/index.ts';
import type { EmbedResult } from '../graph/servable.ts';
import { bodyCheck } from './body-check.ts';
import type { EmbeddingsCall, EmbeddingsReply } from './embeddings-call.ts';
import { textsOf } from './embeddings-input.ts';
import {
  DEFAULT_ENCODING,
  DIMENSIONS_FIELD,
  encodingField,
  MODEL_FIELD,
  OPTIONAL_MODEL_FIELD,
  TEXTS_FIELD,
} from './fields.ts';

const USER_FIELD = { description: 'Ignored.' } as const;

/** The fields of `POST /v3/embeddings`, as a JSON schema. Others are ignored; null means absent. */
export const EMBEDDINGS_SCHEMA = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: MODEL_FIELD,
    input: TEXTS_FIELD,
    encoding_format: encodingField(['base64']),
    dimensions: { ...DIMENSIONS_FIELD, description: "Only the model's own size is accepted." },
    user: USER_FIELD,
  },
} as const;

/** The fields of `POST /v1/embeddings`, as a JSON schema. Others are ignored; null means absent. */
export const OPENAI_EMBEDDINGS_SCHEMA = {
  type: 'object',
  required: ['input'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    input: TEXTS_FIELD,
    encoding_format: encodingField(['base64', 'tensor']),
    dimensions: DIMENSIONS_FIELD,
    user: USER_FIELD,
  },
} as const;

const requireEmbeddings = bodyCheck(EMBEDDINGS_SCHEMA, ['input']);
const requireOpenaiEmbeddings = bodyCheck(OPENAI_EMBEDDINGS_SCHEMA, ['input']);

/** A body that passed one of the schemas. */
interface EmbeddingsBody {
  readonly model?: string | null;
  readonly input?: unknown;
  readonly encoding_format?: EncodingName | null;
  readonly dimensions?: number | null;
}

/**
 * Reads the body of `POST /v3/embeddings`.
 *
 * @param body - Parsed JSON.
 * @returns The call; `encoding` is `float` where the client named none.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseEmbeddings(body: unknown): EmbeddingsCall {
  requireEmbeddings(body);
  return callOf(body as EmbeddingsBody);
}

/**
 * Reads the body of `POST /v1/embeddings`.
 *
 * @param body - Parsed JSON.
 * @returns The call; `encoding` is `float` where the client named none.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseOpenaiEmbeddings(body: unknown): EmbeddingsCall {
  requireOpenaiEmbeddings(body);
  return callOf(body as EmbeddingsBody);
}

function callOf({
  model,
  input,
  encoding_format: encoding,
  dimensions,
}: EmbeddingsBody): EmbeddingsCall {
  return {
    model: model ?? null,
    inputs: textsOf(input, 'input'),
    param: 'input',
    encoding: encoding ?? DEFAULT_ENCODING,
    dimensions: dimensions ?? null,
    truncate: null,
    side: null,
    normalize: null,
  };
}

/**
 * The answer of the OpenAI routes.
 *
 * @param call - What was asked.
 * @param result - An embedding for each input of the call, in order.
 * @param model - The name the model is served by.
 * @returns An OpenAI list with `index` from 0; encoded when `body` is called.
 */
export function embeddingsReply(
  call: EmbeddingsCall,
  { embeddings, promptTokens, timings }: EmbedResult,
  model: string,
): EmbeddingsReply {
  const { encode } = ENCODINGS[call.encoding];
  return {
    timings,
    body: (wire) => ({
      object: 'list',
      data: embeddings.map((tensor, index) => ({
        object: 'embedding',
        embedding: encode(tensor, wire),
        index,
      })),
      model,
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    }),
  };
}
