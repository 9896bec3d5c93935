import { ServeError } from '../errors.ts';
import { ENCODINGS, type EncodingName } from '../formats/encodings/index.ts';
import type { Wire, WireValue } from '../formats/wire.ts';
import type { EmbeddingsServable, EmbedResult, Timings } from '../graph/servable.ts';
import { compileSchema } from '../schema/compile.ts';
import { textsOf } from './embeddings-input.ts';

/** The fields of `POST /v3/embeddings`, as a JSON schema. Others are ignored; null means absent. */
export const EMBEDDINGS_SCHEMA = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: {
      type: 'string',
      minLength: 1,
      description: 'Name of a served model.',
      reason: 'must be the name of a served model, a non-empty string',
    },
    input: {
      description: 'What is embedded: a string or a non-empty list of strings.',
    },
    encoding_format: {
      enum: [...Object.keys(ENCODINGS), null],
      description: 'How the numbers of an embedding are sent.',
      reason: `must be one of ${Object.keys(ENCODINGS).join(', ')}`,
    },
    dimensions: {
      type: ['integer', 'null'],
      minimum: 1,
      description: "Only the model's own size is accepted.",
      reason: 'must be a whole number of at least 1',
    },
    user: { description: 'Ignored.' },
  },
} as const;

const faultOf = compileSchema(EMBEDDINGS_SCHEMA);

/** A body that passed {@link EMBEDDINGS_SCHEMA}. */
interface EmbeddingsBody {
  readonly model: string;
  readonly input?: unknown;
  readonly encoding_format?: EncodingName | null;
  readonly dimensions?: number | null;
}

/** What a client asks of an embeddings route. */
export interface EmbeddingsCall {
  /** The name of a served model. */
  readonly model: string;
  /** At least one; well-formed Unicode. */
  readonly inputs: readonly string[];
  /** The request field that held the inputs. */
  readonly param: 'input';
  readonly encoding: EncodingName;
  /** Wanted size of the embeddings; null: the model's. */
  readonly dimensions: number | null;
}

/**
 * Reads the body of `POST /v3/embeddings`.
 *
 * @param body - Parsed JSON.
 * @returns The call; `encoding` is `float` where the client named none.
 * @throws {@link ServeError} `invalid_field`, with the field as `param`.
 */
export function parseEmbeddings(body: unknown): EmbeddingsCall {
  const fault = faultOf(body);
  if (fault !== null && fault.path[0] !== 'input') {
    const field = String(fault.path[0] ?? '');
    throw new ServeError(
      'invalid_field',
      `Cannot use the field ${JSON.stringify(field)}: it ${fault.reason}`,
      { param: field },
    );
  }
  const { model, input, encoding_format: encoding, dimensions } = body as EmbeddingsBody;
  return {
    model,
    inputs: textsOf(input, 'input'),
    param: 'input',
    encoding: encoding ?? 'float',
    dimensions: dimensions ?? null,
  };
}

/**
 * Checks the wanted size against the model's, which is the only one it can give here.
 *
 * @param call - A call that may name a size.
 * @param model - The call's model.
 * @throws {@link ServeError} `invalid_field`.
 */
export function requireOwnDimensions(call: EmbeddingsCall, model: EmbeddingsServable): void {
  if (call.dimensions === null || call.dimensions === model.dimensions) return;
  throw new ServeError(
    'invalid_field',
    `Cannot give embeddings of ${call.dimensions} dimensions: other sizes than the model's own are not supported on this route, and that of ${JSON.stringify(model.name)} is ${model.dimensions}; leave "dimensions" out`,
    { param: 'dimensions' },
  );
}

/** An OpenAI list before it is written. */
export interface EmbeddingsReply {
  /** ms of the stages. */
  readonly timings: Timings;
  readonly body: (wire: Wire) => WireValue;
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
