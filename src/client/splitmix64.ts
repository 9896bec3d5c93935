const INCREMENT = 0x9e3779b97f4a7c15n;
const FIRST = 0xbf58476d1ce4e5b9n;
const SECOND = 0x94d049bb133111ebn;
const RANGE = 2 ** 64;

/**
 * @param ticket - Number of the pick, from 0.
 * @returns The output of the SplitMix64 generator for a ticket, 0 to 2^64 − 1. Source: Steele,
 * Lea and Flood, "Fast splittable pseudorandom number generators".
 */
export function splitmix64(ticket: number): bigint {
  let z = BigInt.asUintN(64, BigInt(ticket) + INCREMENT);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * FIRST);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * SECOND);
  return z ^ (z >> 31n);
}

/**
 * Index that a ticket picks among weights: by their sums in order; without a positive weight,
 * each
 * alike.
 *
 * @param ticket - Number of the pick, from 0.
 * @param weights - Shares, in order; not all negative.
 * @returns A valid index.
 */
export function pickByTicket(ticket: number, weights: readonly number[]): number {
  const random = splitmix64(ticket);
  const total = weights.reduce((sum, weight) => sum + Math.max(weight, 0), 0);
  if (total === 0) return Number(random % BigInt(weights.length));
  const point = (Number(random) / RANGE) * total;
  let sum = 0;
  const found = weights.findIndex((weight) => {
    sum += Math.max(weight, 0);
    return weight > 0 && point < sum;
  });
  return found >= 0 ? found : weights.findLastIndex((weight) => weight > 0);
}
