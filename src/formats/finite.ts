import { ServeError } from '../errors.ts';
import { Float32Bytes, Float32Rows, type WireValue } from './wire.ts';

/** Numbers that are checked at a time: less than a millisecond. */
const PIECE_NUMBERS = 2 ** 20;

/** An item of a list or of an object takes as long as so many numbers. */
const NUMBERS_PER_ITEM = 32;

const PAUSE = new Uint8Array(0);

/**
 * Refuses NaN and infinities, which no client could use and JSON can't hold.
 *
 * @param value - All float32 numbers in it are checked.
 * @yields Slices without bytes, as pauses: one for about every million numbers.
 * @throws {@link ServeError} `inference_failed`.
 */
export function* requireFinite(value: WireValue): Generator<Uint8Array, void, undefined> {
  let checked = 0;
  for (const numbers of check(value)) {
    checked += numbers;
    if (checked < PIECE_NUMBERS) continue;
    yield PAUSE;
    checked = 0;
  }
}

// Yields how much each step has checked, in numbers.
function* check(value: WireValue): Generator<number, void, undefined> {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const data = numbersOf(next);
    if (data === null) yield NUMBERS_PER_ITEM * pushItems(next, pending);
    for (let at = 0; data !== null && at < data.length; at += PIECE_NUMBERS) {
      const end = Math.min(data.length, at + PIECE_NUMBERS);
      if (!areFinite(data, at, end)) {
        throw new ServeError(
          'inference_failed',
          'Cannot send the embedding: the model computed numbers that are not finite',
        );
      }
      yield end - at;
    }
  }
}

function numbersOf(value: WireValue): Float32Array | null {
  if (value instanceof Float32Array) return value;
  return value instanceof Float32Bytes || value instanceof Float32Rows ? value.data : null;
}

// Only what can hold numbers; returns the number of all items.
function pushItems(value: WireValue, pending: WireValue[]): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value) as readonly WireValue[];
  for (const item of items) if (typeof item === 'object' && item !== null) pending.push(item);
  return items.length;
}

// x * 0 is NaN for NaN and the infinities: no branch for each number, and four sums that don't wait
// for each other.
function areFinite(data: Float32Array, from: number, end: number): boolean {
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = from;
  for (; at + 3 < end; at += 4) {
    a += (data[at] ?? 0) * 0;
    b += (data[at + 1] ?? 0) * 0;
    c += (data[at + 2] ?? 0) * 0;
    d += (data[at + 3] ?? 0) * 0;
  }
  for (; at < end; at += 1) a += (data[at] ?? 0) * 0;
  return a + b + c + d === 0;
}
