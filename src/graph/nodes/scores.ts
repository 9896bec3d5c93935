/**
 * The probability of a yes.
 *
 * @param logit - Any finite number.
 * @returns 1 / (1 + e^-logit), from 0 to 1; no step on the way overflows.
 */
export function sigmoid(logit: number): number {
  // e to a number of at most 0 is from 0 to 1.
  const small = Math.exp(-Math.abs(logit));
  return logit < 0 ? small / (1 + small) : 1 / (1 + small);
}

/**
 * The probabilities of labels of which one fits.
 *
 * @param logits - [labels], finite.
 * @returns [labels], from 0 to 1 with a sum of 1; no step on the way overflows.
 */
export function softmax(logits: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(logits);
  const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = values.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * The cosine of two vectors of length 1.
 *
 * @param one - [dimensions], normalized.
 * @param other - [dimensions], normalized.
 * @returns Their dot product, from -1 to 1.
 */
export function cosine(one: Float32Array, other: Float32Array): number {
  const sum = one.reduce((total, value, at) => total + value * (other[at] ?? 0), 0);
  return Math.min(1, Math.max(-1, sum));
}

/**
 * How surely the second of two labels fits and not the first.
 *
 * @param logits - [1]: of a yes; or [2]: of a no, then of a yes.
 * @returns The logit of a yes: its {@link sigmoid} is the softmax of the last label.
 */
export function relevance(logits: ArrayLike<number>): number {
  const { 0: first = 0, 1: second } = logits;
  return second === undefined ? first : second - first;
}
