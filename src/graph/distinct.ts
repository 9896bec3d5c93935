import type { Input } from '../input.ts';

/** Inputs of which equal ones stand once. */
export interface Distinct {
  /** In the order of their first appearance. */
  readonly inputs: readonly Input[];
  /** For each input of the request its index in {@link inputs}. */
  readonly positions: readonly number[];
}

/**
 * Finds equal inputs, so that each is computed once.
 *
 * @param inputs - Of one request.
 * @returns Each input once, and where the request has it.
 */
export function distinct(inputs: readonly Input[]): Distinct {
  // By the text of an input, or the first one of a pair, and then by the second. Nothing is joined: of
  // many pairs the first may be one long text.
  const indexes = new Map<string, Map<string | null, number>>();
  const unique: Input[] = [];
  const positions = inputs.map((input) => {
    const [first, second] = typeof input === 'string' ? [input, null] : [input.first, input.second];
    const others = indexes.get(first) ?? new Map<string | null, number>();
    const known = others.get(second);
    if (known !== undefined) return known;
    indexes.set(first, others.set(second, unique.length));
    return unique.push(input) - 1;
  });
  return { inputs: unique, positions };
}
