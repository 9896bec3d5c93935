import type { EncodingName } from '../formats/encodings/index.ts';

/** Of answers where the client names none. */
export const DEFAULT_ENCODING = 'float' satisfies EncodingName;

/** `model` where it is required. */
export const MODEL_FIELD = {
  type: 'string',
  minLength: 1,
  description: 'Name of a served model.',
  reason: 'must be the name of a served model, a non-empty string',
} as const;

/** `model` where it may be left out. */
export const OPTIONAL_MODEL_FIELD = {
  ...MODEL_FIELD,
  type: ['string', 'null'],
  description: 'Name of a served model; may be left out where only one can be meant.',
} as const;

/** Texts. What is wrong with them is said by `textsOf()`, which names the item. */
export const TEXTS_FIELD = {
  anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }],
  description: 'What is embedded: a string or a non-empty list of strings.',
  examples: ['This is a test'],
} as const;

/** The size of embeddings, where others than the model's own can be given. */
export const DIMENSIONS_FIELD = {
  type: ['integer', 'null'],
  minimum: 1,
  description:
    "Size of the embeddings, at most the model's own, which is the default: they are cut to it, and scaled to length 1 again if they had that length.",
  reason: 'must be a whole number of at least 1',
} as const;

/** Whether texts that are too long are cut. */
export const TRUNCATION_FIELDS = {
  truncate: {
    type: ['boolean', 'null'],
    description:
      "Whether a text that is too long is cut (true) or refused (false). Default: as the model's graph says.",
    reason: 'must be true or false',
  },
  truncation_direction: {
    type: ['string', 'null'],
    pattern: '^([lL][eE][fF][tT]|[rR][iI][gG][hH][tT])$',
    description: 'The end that is cut, where any is: left or right (default), in any case.',
    reason: 'must be left or right, in any case',
  },
} as const;

/** What a client may send as {@link TRUNCATION_FIELDS}. */
export interface TruncationBody {
  readonly truncate?: boolean | null;
  readonly truncation_direction?: string | null;
}

const SIDES: Readonly<Record<string, 'left' | 'right'>> = { left: 'left', right: 'right' };

/** What is done with texts that are too long. */
export interface TruncationChoice {
  /** The end that is cut, or that none is; null: as configured. */
  readonly truncate: 'left' | 'right' | 'never' | null;
  /** The end that is cut where the model is configured to cut; null: as configured. */
  readonly side: 'left' | 'right' | null;
}

/**
 * What a client wants done with texts that are too long.
 *
 * @param body - Checked.
 * @returns The choice; `right` where a cut is asked for and no end.
 */
export function truncationOf(body: TruncationBody): TruncationChoice {
  const { truncate, truncation_direction: direction } = body;
  const side = SIDES[direction?.toLowerCase() ?? ''] ?? null;
  if (truncate === true) return { truncate: side ?? 'right', side };
  return { truncate: truncate === false ? 'never' : null, side };
}

/**
 * The field `encoding_format`.
 *
 * @param others - The encodings that the route gives beside the default.
 * @returns Its schema.
 */
export function encodingField(others: readonly EncodingName[]): {
  readonly enum: readonly (EncodingName | null)[];
  readonly description: string;
  readonly reason: string;
} {
  const names: readonly EncodingName[] = [DEFAULT_ENCODING, ...others];
  return {
    enum: [...names, null],
    description: `How the numbers of an embedding are sent: ${DEFAULT_ENCODING} (default), ${others.join(', ')}.`,
    reason: `must be one of ${names.join(', ')}`,
  };
}
