import { ServeError } from '../errors.ts';

/** Bytes that {@link writeFloat32} writes at most: a sign, and a number as JavaScript writes it. */
export const MAX_FLOAT32_TEXT_BYTES = 24;

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** Any float32 is told from its neighbours by this many digits. */
const DIGITS = 9;
const UPPER = 10 ** DIGITS;

/*
 * The fast way takes numbers from 2^-13 to 2^29, which nearly all numbers of embeddings are. Scaled by
 * 10^k to nine digits before the point, with k <= 12, a float32 and the middles between it and its
 * neighbours are exact in float64: 25 bits times the 28 bits of 5^12 make 53. So whether a decimal
 * reads back to the float32 is one exact comparison with half the distance to a neighbour.
 */
const MIN_EXPONENT = 127 - 13;
const MAX_EXPONENT = 127 + 28;
const POWERS_OF_TEN = Float64Array.from({ length: 13 }, (_, power) => 10 ** power);
const HALF_GAPS = Float64Array.from({ length: 256 }, (_, exponent) => 2 ** (exponent - 127 - 24));
/** For each exponent the power of ten that brings its smallest number to nine digits. */
const SCALES = Uint8Array.from({ length: 256 }, (_, exponent) =>
  Math.max(
    0,
    POWERS_OF_TEN.findLastIndex((power) => 2 ** (exponent - 127) * power < UPPER),
  ),
);

/** The digits of 0 to 999 in ASCII, the first in the lowest byte. */
const THREE_DIGITS = Int32Array.from({ length: 1000 }, (_, number) =>
  Array.from(String(number).padStart(3, '0')).reduceRight(
    (packed, digit) => (packed << 8) | digit.charCodeAt(0),
    0,
  ),
);

/**
 * Decimals nearer to a middle than this are not used: a reader that goes through float64 could round
 * them onto the middle, and then to the wrong side. The error of such a
 * reader is at most 2^-24 here.
 */
const MARGIN = 2 ** -20;

const value32 = new Float32Array(1);
const bits32 = new Int32Array(value32.buffer);

/**
 * Writes the shortest decimal that reads back to the same float32, of those the nearest.
 *
 * @param value - A float32.
 * @param target - Gets at most {@link MAX_FLOAT32_TEXT_BYTES} bytes of ASCII, a JSON number.
 * @param position - Where to write.
 * @returns The position behind what was written.
 * @throws {@link ServeError} `inference_failed` for NaN and the infinities.
 */
export function writeFloat32(value: number, target: Uint8Array, position: number): number {
  value32[0] = value;
  const bits = bits32[0] ?? 0;
  const exponent = (bits >>> 23) & 0xff;
  let at = position;
  if (bits < 0) target[at++] = MINUS;
  // Below a power of two the next number is nearer than above it: the slow way knows that.
  if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT || (bits & 0x7fffff) === 0) {
    return writeAscii(rareText(Math.abs(value)), target, at);
  }
  return writeDecimal(shortest(Math.abs(value), exponent, (bits & 1) === 0), target, at);
}

/** Digits behind the point for {@link writeDecimal}; negative: zeros before it. Not a property: this runs for every number. */
let places = 0;

// The digits without zeros at their end; sets `places`.
function shortest(magnitude: number, exponent: number, even: boolean): number {
  let scale = SCALES[exponent] ?? 0;
  let scaled = magnitude * (POWERS_OF_TEN[scale] ?? 0);
  if (scaled >= UPPER) {
    scale -= 1;
    scaled = magnitude * (POWERS_OF_TEN[scale] ?? 0);
  }
  const half = (HALF_GAPS[exponent] ?? 0) * (POWERS_OF_TEN[scale] ?? 0);
  const zeros = finalZeros(scaled, half, even);
  const digits = (scaled / (POWERS_OF_TEN[zeros] ?? 1) + 0.5) | 0;
  places = scale - zeros;
  return zeros === 3 ? stripped(digits) : digits;
}

// How many of the nine digits can be zeros at the end: up to three, more are for {@link stripped}.
function finalZeros(scaled: number, half: number, even: boolean): number {
  const hundreds = ((scaled / 100 + 0.5) | 0) * 100;
  if (isWithin(Math.abs(hundreds - scaled), half, even)) {
    // The interval is between 6 and 120 wide: of the multiples of 1,000 it holds one at most.
    const thousands = ((scaled / 1000 + 0.5) | 0) * 1000;
    return isWithin(Math.abs(thousands - scaled), half, even) ? 3 : 2;
  }
  const tens = ((scaled / 10 + 0.5) | 0) * 10;
  return isWithin(Math.abs(tens - scaled), half, even) ? 1 : 0;
}

// A decimal exactly on the middle is rounded to the even neighbour.
function isWithin(distance: number, half: number, even: boolean): boolean {
  return distance < half - MARGIN || (even && distance === half);
}

// Takes the zeros at the end from `digits` to {@link places}.
function stripped(digits: number): number {
  let left = digits;
  while (left % 10 === 0) {
    left = (left / 10) | 0;
    places -= 1;
  }
  return left;
}

// Writes `digits` * 10^-places without an exponent, and returns the position behind it.
function writeDecimal(digits: number, target: Uint8Array, position: number): number {
  if (digits < (POWERS_OF_TEN[places] ?? 0)) return writeFraction(digits, target, position);
  let left = digits;
  let after = places;
  if (after < 0) {
    left *= POWERS_OF_TEN[-after] ?? 0;
    after = 0;
  }
  const end = position + lengthOf(left) + (after > 0 ? 1 : 0);
  for (let at = end; at > position; after -= 1) {
    const rest = (left / 10) | 0;
    target[--at] = ZERO + left - rest * 10;
    left = rest;
    if (after === 1) target[--at] = POINT;
  }
  return end;
}

// As above for numbers below one: exactly `places` digits behind the point, three at a time.
function writeFraction(digits: number, target: Uint8Array, position: number): number {
  target[position] = ZERO;
  target[position + 1] = POINT;
  const end = position + 2 + places;
  let left = digits;
  let at = end;
  for (; at > position + 4; at -= 3) {
    const rest = (left / 1000) | 0;
    const three = THREE_DIGITS[left - rest * 1000] ?? 0;
    target[at - 3] = three;
    target[at - 2] = three >> 8;
    target[at - 1] = three >> 16;
    left = rest;
  }
  while (at > position + 2) {
    const rest = (left / 10) | 0;
    target[--at] = ZERO + left - rest * 10;
    left = rest;
  }
  return end;
}

function lengthOf(digits: number): number {
  let length = 1;
  while (digits >= (POWERS_OF_TEN[length] ?? 0)) length += 1;
  return length;
}

// For zero, subnormals, powers of two, and what is very small or large.
function rareText(value: number): string {
  if (!Number.isFinite(value)) {
    throw new ServeError('inference_failed', `Cannot write ${value} as a JSON number`);
  }
  for (let digits = 1; digits < DIGITS; digits += 1) {
    const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
    const whole = Number(mantissa.replace('.', ''));
    // Where the gaps differ, the nearest decimal may miss and the next one above it hit.
    for (const candidate of [whole, whole + 1]) {
      const text = Number(`${candidate}e${Number(exponent) - digits + 1}`);
      if (Math.fround(text) === value) return String(text);
    }
  }
  return String(Number(value.toPrecision(DIGITS)));
}

function writeAscii(text: string, target: Uint8Array, position: number): number {
  for (let index = 0; index < text.length; index += 1) {
    target[position + index] = text.charCodeAt(index);
  }
  return position + text.length;
}
