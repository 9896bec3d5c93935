import type { ScoreOptions } from '../graph/servable.ts';
import { TRUNCATION_FIELDS, truncationOf, type TruncationBody } from './fields.ts';

/** Fields that say how inputs are scored, as properties of a JSON schema. */
export const SCORE_FIELDS = {
  raw_scores: {
    type: ['boolean', 'null'],
    description:
      'Whether scores are given as the model computes them. Default: false, from 0 to 1.',
    reason: 'must be true or false',
  },
  ...TRUNCATION_FIELDS,
} as const;

/** What a client may send as {@link SCORE_FIELDS}. */
export interface ScoreBody extends TruncationBody {
  readonly raw_scores?: boolean | null;
}

/** What a servable is told, beside the scope of the request. */
export type ScoreChoice = Omit<ScoreOptions, 'scope'>;

/**
 * How a client wants inputs scored.
 *
 * @param body - Checked.
 * @param param - The field that held the inputs.
 * @returns Options of a servable; what the client leaves open is absent.
 */
export function scoreChoice(body: ScoreBody, param: string): ScoreChoice {
  const { truncate, side } = truncationOf(body);
  return {
    param,
    raw: body.raw_scores ?? false,
    ...(truncate !== null && { truncate }),
    ...(side !== null && { side }),
  };
}
