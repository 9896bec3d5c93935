import type { Input } from '../input.ts';

/** Inputs of which equal ones stand once. */
export interface Distinct {
  /** In the order of their first appearance. */
  readonly inputs: readonly Input[];
  /** For each input of the request its index in {@link inputs}. */
  readonly positions: readonly number[];
}

// The parts of a pair cannot run into each other: the length of the first stands before it.
function keyOf(input: Input): string {
  return typeof input === 'string' ? input : `${input.first.length}:${input.first}${input.second}`;
}

/**
 * Finds equal inputs, so that each text is computed once. A request holds either texts or pairs.
 *
 * @param inputs - Of one request.
 * @returns Each input once, and where the request has it.
 */
export function distinct(inputs: readonly Input[]): Distinct {
  const indexes = new Map<string, number>();
  const unique: Input[] = [];
  const positions = inputs.map((input) => {
    const key = keyOf(input);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, unique.length);
    return unique.push(input) - 1;
  });
  return { inputs: unique, positions };
}
