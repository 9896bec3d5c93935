const FLOAT32_TAG = 0xca;
const STRIDE = 5;

/** Where a run of tagged float32 values starts. */
export interface FloatSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly at: number;
}

/**
 * Reads `length` float32 values, each after its tag; the caller has checked that the bytes are
 * there. `null` if a tag is another one (writers may send a 0 as an integer).
 *
 * @param root0 - What belongs together for it.
 * @param length - Numbers that are asked for.
 * @returns The numbers, or `null`.
 */
export function readFloatNumbers(
  { bytes, view, at }: FloatSource,
  length: number,
): number[] | null {
  // The last tag, too, before anything is made: an array that is no such run is rarely one by both.
  if (bytes[at + (length - 1) * STRIDE] !== FLOAT32_TAG) return null;
  const numbers = new Array<number>(length);
  for (let i = 0, p = at; i < length; i++, p += STRIDE) {
    if (bytes[p] !== FLOAT32_TAG) return null;
    numbers[i] = view.getFloat32(p + 1);
  }
  return numbers;
}

/**
 * As {@link readFloatNumbers}, into `target`, whose length says how many; returns it.
 *
 * @param root0 - What belongs together for it.
 * @param target - Where they go.
 * @returns `target`, or `null`.
 */
export function readFloatArray(
  { bytes, view, at }: FloatSource,
  target: Float32Array,
): Float32Array | null {
  for (let i = 0, p = at; i < target.length; i++, p += STRIDE) {
    if (bytes[p] !== FLOAT32_TAG) return null;
    target[i] = view.getFloat32(p + 1);
  }
  return target;
}
