const NUMBERS = { type: 'array', items: { type: 'number' } } as const;
const BASE64 = { type: 'string', contentEncoding: 'base64' } as const;

const TENSOR = {
  type: 'object',
  required: ['shape', 'dtype', 'data_encoding', 'data'],
  properties: {
    shape: { type: 'array', items: { type: 'integer' } },
    dtype: { const: 'float32' },
    data_encoding: { enum: ['base64', 'binary'] },
    data: {
      type: 'string',
      description:
        'float32 numbers, row-major, low byte first; in MessagePack the bytes themselves.',
    },
  },
} as const;

const VECTOR = {
  description: 'As encoding_format says: float, base64 or tensor.',
  anyOf: [NUMBERS, BASE64, TENSOR],
} as const;

/** The tokens of a request, as a JSON schema. */
export const USAGE_SCHEMA = {
  type: 'object',
  required: ['prompt_tokens', 'total_tokens'],
  properties: { prompt_tokens: { type: 'integer' }, total_tokens: { type: 'integer' } },
} as const;

/** The answer of the OpenAI routes, as a JSON schema. */
export const OPENAI_LIST_SCHEMA = {
  type: 'object',
  required: ['object', 'data', 'model', 'usage'],
  properties: {
    object: { const: 'list' },
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['object', 'embedding', 'index'],
        properties: {
          object: { const: 'embedding' },
          embedding: VECTOR,
          index: { type: 'integer' },
        },
      },
    },
    model: { type: 'string' },
    usage: USAGE_SCHEMA,
  },
} as const;

/** The answer of `POST /embed`, as a JSON schema. */
export const VECTORS_SCHEMA = { type: 'array', items: VECTOR } as const;

/** The answer of `POST /embed_all`, as a JSON schema. */
export const MATRICES_SCHEMA = {
  type: 'array',
  items: {
    description: 'A row for each token, as encoding_format says: float, base64 or tensor.',
    anyOf: [{ type: 'array', items: NUMBERS }, { type: 'array', items: BASE64 }, TENSOR],
  },
} as const;

const IDS = { type: 'array', items: { type: 'integer' } } as const;

/** The answer of the tokenize routes, as a JSON schema. */
export const TOKENS_SCHEMA = {
  type: 'object',
  required: ['tokens'],
  properties: {
    tokens: {
      description: 'Ids for a text; a list of them for a list.',
      anyOf: [IDS, { type: 'array', items: IDS }],
    },
  },
} as const;
