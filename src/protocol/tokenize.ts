import { ServeError } from '../errors.ts';
import type { WireValue } from '../formats/wire.ts';
import { bodyCheck } from './body-check.ts';
import { textsOf } from './embeddings-input.ts';
import { OPTIONAL_MODEL_FIELD, TEXTS_FIELD } from './fields.ts';

const NULLABLE_TEXTS = { ...TEXTS_FIELD, anyOf: [...TEXTS_FIELD.anyOf, { type: 'null' }] } as const;

/** The fields of `POST /v3/tokenize`, as a JSON schema. Others are ignored; null means absent. */
export const TOKENIZE_SCHEMA = {
  type: 'object',
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    text: {
      ...NULLABLE_TEXTS,
      description: 'What is tokenized: a string or a non-empty list of strings.',
    },
    inputs: { ...NULLABLE_TEXTS, description: 'Another name of text.' },
    add_special_tokens: {
      type: ['boolean', 'null'],
      description: 'Whether special tokens are added, as for an embedding. Default: true.',
      reason: 'must be true or false',
    },
    max_length: {
      type: ['integer', 'null'],
      minimum: 1,
      description:
        'Tokens to which each text is cut, special tokens included. Default: none is cut.',
      reason: 'must be a whole number of at least 1',
    },
  },
} as const;

const requireTokenize = bodyCheck(TOKENIZE_SCHEMA, ['text', 'inputs']);

/** A body that passed {@link TOKENIZE_SCHEMA}. */
interface TokenizeBody {
  readonly model?: string | null;
  readonly text?: unknown;
  readonly inputs?: unknown;
  readonly add_special_tokens?: boolean | null;
  readonly max_length?: number | null;
}

/** What a client asks of the tokenize route. */
export interface TokenizeCall {
  /** The name of a served model; null: the only one. */
  readonly model: string | null;
  /** At least one; well-formed Unicode. */
  readonly inputs: readonly string[];
  /** The request field that held the texts. */
  readonly param: 'text' | 'inputs';
  /** Whether the text was no list, so that the answer is none either. */
  readonly isSingle: boolean;
  readonly addSpecialTokens: boolean;
  /** Tokens to which each text is cut; null: none is. */
  readonly maxLength: number | null;
}

/**
 * Reads the body of `POST /v3/tokenize`.
 *
 * @param body - Parsed JSON.
 * @returns The call.
 * @throws {@link ServeError} `invalid_field`, with the field as `param`.
 */
export function parseTokenize(body: unknown): TokenizeCall {
  requireTokenize(body);
  const { model, text, inputs, ...options } = body as TokenizeBody;
  const isText = (text ?? null) !== null;
  const isInputs = (inputs ?? null) !== null;
  if (isText && isInputs) {
    throw new ServeError(
      'invalid_field',
      'Cannot use the field "inputs": it is another name of "text", and both are given; leave one out',
      { param: 'inputs' },
    );
  }
  const [param, value] = isInputs ? (['inputs', inputs] as const) : (['text', text] as const);
  return {
    model: model ?? null,
    inputs: textsOf(value, param),
    param,
    isSingle: typeof value === 'string',
    addSpecialTokens: options.add_special_tokens ?? true,
    maxLength: options.max_length ?? null,
  };
}

/**
 * The answer of the tokenize route.
 *
 * @param call - What was asked.
 * @param sequences - The token ids of each text, in order.
 * @returns `{"tokens": [ids]}` for a text, `{"tokens": [[ids], …]}` for a list.
 */
export function tokenizeReply(
  { isSingle }: TokenizeCall,
  sequences: readonly Int32Array[],
): WireValue {
  const tokens = sequences.map((ids) => Array.from(ids));
  return { tokens: isSingle ? (tokens[0] ?? []) : tokens };
}
