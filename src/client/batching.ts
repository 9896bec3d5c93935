/** A run of inputs that go in one request. */
export interface Batch {
  /** Number of the batch in its call, from 0. */
  readonly index: number;
  /** First input. */
  readonly start: number;
  /** One past the last input. */
  readonly end: number;
}

/** When a batch is full; every bound is inclusive. */
export interface BatchBounds {
  readonly maxTexts: number;
  /** Code points of all texts together. */
  readonly maxChars: number;
  /** Bytes of the serialised texts with their commas; `Infinity` where nothing is known. */
  readonly maxBytes: number;
}

/** Size of one text. */
export interface TextSize {
  /** Unicode code points. */
  readonly chars: number;
  /** Bytes in the body, comma included. */
  readonly bytes: number;
}

/**
 * Cuts inputs into batches, in order. A text longer than the bound on characters gets a batch of
 * its own; a batch closes before the text that would pass a bound.
 *
 * @param sizes - One for each input, in order.
 * @param bounds - When a batch is full.
 * @returns Batches that follow each other without a gap.
 */
export function planBatches(sizes: readonly TextSize[], bounds: BatchBounds): Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let chars = 0;
  let bytes = 0;
  function close(end: number): void {
    if (end > start) batches.push({ index: batches.length, start, end });
    start = end;
    chars = 0;
    bytes = 0;
  }
  sizes.forEach((size, at) => {
    const full =
      at - start >= bounds.maxTexts ||
      chars + size.chars > bounds.maxChars ||
      bytes + size.bytes > bounds.maxBytes;
    if (full) close(at);
    chars += size.chars;
    bytes += size.bytes;
    if (size.chars > bounds.maxChars) close(at + 1);
  });
  close(sizes.length);
  return batches;
}

/**
 * One batch for each input.
 *
 * @param count - Inputs that were sent.
 * @returns One for each input, in order.
 */
export function singleBatches(count: number): Batch[] {
  return Array.from({ length: count }, (_, index) => ({ index, start: index, end: index + 1 }));
}

/**
 * @param text - Characters to read.
 * @returns Number of Unicode code points: a surrogate pair is one.
 */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(i + 1))) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
