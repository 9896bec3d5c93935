/** A seeded source of numbers and texts: the same seed gives the same ones. */
export interface RandomTexts {
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Short words with single spaces between them. */
  readonly text: (words: number) => string;
}

const WORDS =
  'the water of a small town runs down to the sea where old boats wait for morning and people sing'.split(
    ' ',
  );

/** Makes a source. The generator is mulberry32. */
export function randomTexts(seed: number): RandomTexts {
  let state = seed;
  function random(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function word(): string {
    return WORDS[Math.floor(random() * WORDS.length)] ?? '';
  }
  return { random, text: (words) => Array.from({ length: words }, word).join(' ') };
}
