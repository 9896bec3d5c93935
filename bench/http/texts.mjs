import { readFileSync } from 'node:fs';

/**
 * How a workload is sent.
 *
 * @typedef {object} Workload
 * @property {number} connections Each has one request in flight at a time
 * @property {number} texts Texts of a request
 * @property {(random: () => number) => number} words Words of the next text
 * @property {number} twoTokenShare Share of words that the default model's vocabulary cuts in two
 * @property {number} expectedRate More texts/s than this machine class reaches: sizes what is built ahead
 */

const TWO_TOKEN_SHARE = 0.15;
/** `[CLS]` and `[SEP]`. */
const SPECIAL_TOKENS = 2;

/** @type {Readonly<Record<string, Workload>>} */
export const WORKLOADS = Object.freeze({
  single: workload({ connections: 1, texts: 1, words: () => 12, expectedRate: 2500 }),
  query: workload({ connections: 16, texts: 1, words: between(6, 18), expectedRate: 3000 }),
  docs: workload({ connections: 4, texts: 32, words: between(80, 120), expectedRate: 400 }),
  mixed: workload({ connections: 4, texts: 32, words: logNormal(), expectedRate: 800 }),
  burst: workload({ connections: 256, texts: 8, words: between(6, 18), expectedRate: 3000 }),
  long: workload({
    connections: 2,
    texts: 4,
    words: () => 510 - SPECIAL_TOKENS,
    twoTokenShare: 0,
    expectedRate: 100,
  }),
});

/** @param {Omit<Workload, 'twoTokenShare'> & { twoTokenShare?: number }} options */
function workload(options) {
  return Object.freeze({ twoTokenShare: TWO_TOKEN_SHARE, ...options });
}

/** Uniform, both ends included. */
function between(low, high) {
  return (random) => low + Math.floor(random() * (high - low + 1));
}

/** Log-normal around 24 words, clamped to 3-230: the mean is about 33. */
function logNormal() {
  return (random) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.min(230, Math.max(3, Math.round(24 * Math.exp(0.8 * normal))));
  };
}

/**
 * The texts of one request after another, without end: the same seed gives the same texts, no text comes twice.
 *
 * @param {string} name A workload's
 * @param {number} seed
 * @returns {Generator<string[], never>}
 */
export function* requestTexts(name, seed) {
  const { texts, words, twoTokenShare } = workloadNamed(name);
  const random = randomNumbers(seedOf(`${name} ${seed}`));
  const seen = new Set();
  function distinctText() {
    for (;;) {
      const text = sentence(words(random), twoTokenShare, random);
      if (!seen.has(text)) {
        seen.add(text);
        return text;
      }
    }
  }
  for (;;) yield Array.from({ length: texts }, distinctText);
}

/** @param {string} name */
export function workloadNamed(name) {
  if (Object.hasOwn(WORKLOADS, name)) return WORKLOADS[name];
  throw new Error(`No workload "${name}": choose from ${Object.keys(WORKLOADS).join(', ')}`);
}

const ONE_TOKEN_WORDS = wordsOf('words-one-token.txt');
const TWO_TOKEN_WORDS = wordsOf('words-two-tokens.txt');

function wordsOf(file) {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

function sentence(length, twoTokenShare, random) {
  const words = Array.from({ length }, () => {
    const list = random() < twoTokenShare ? TWO_TOKEN_WORDS : ONE_TOKEN_WORDS;
    return list[Math.floor(random() * list.length)];
  });
  return words.join(' ');
}

/** FNV-1a, 32 bits. */
function seedOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Mulberry32: numbers from 0 to 1, 1 excluded. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
