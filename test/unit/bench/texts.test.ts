import { resolve } from 'node:path';
import { Tokenizer } from 'tokenizers';

interface Texts {
  readonly WORKLOADS: Readonly<Record<string, { connections: number; texts: number }>>;
  readonly requestTexts: (name: string, seed: number) => Generator<string[], never>;
}

const ROOT = resolve(import.meta.dirname, '../../..');
const MODULE: string = resolve(ROOT, 'bench/http/texts.mjs');
const { WORKLOADS, requestTexts } = (await import(MODULE)) as Texts;

function take(name: string, seed: number, requests: number): string[] {
  const source = requestTexts(name, seed);
  return Array.from({ length: requests }, () => source.next().value).flat();
}

function words(texts: readonly string[]): number[] {
  return texts.map((text) => text.split(' ').length);
}

async function tokens(texts: string[]): Promise<number[]> {
  const tokenizer = Tokenizer.fromFile(resolve(ROOT, 'models/all-MiniLM-L6-v2/tokenizer.json'));
  tokenizer.disableTruncation();
  tokenizer.disablePadding();
  const encodings = await tokenizer.encodeBatch(texts);
  return encodings.map((encoding) => encoding.getLength());
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe('requestTexts()', () => {
  test.each([
    { name: 'single', connections: 1, texts: 1, low: 12, high: 12 },
    { name: 'query', connections: 16, texts: 1, low: 6, high: 18 },
    { name: 'docs', connections: 4, texts: 32, low: 80, high: 120 },
    { name: 'mixed', connections: 4, texts: 32, low: 3, high: 230 },
    { name: 'burst', connections: 256, texts: 8, low: 6, high: 18 },
    { name: 'long', connections: 2, texts: 4, low: 508, high: 508 },
  ])('$name: $connections connections, $texts texts of $low to $high words', (expected) => {
    const { name, connections, texts, low, high } = expected;
    expect(WORKLOADS[name]).toMatchObject({ connections, texts });
    const lengths = words(take(name, 1, Math.ceil(2000 / texts)));
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(low);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(high);
  });

  test.each(Object.keys(WORKLOADS))('%s: no text comes twice', (name) => {
    const texts = take(name, 1, 500);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('gives the same texts for the same seed, others for another', () => {
    expect(take('query', 7, 20)).toEqual(take('query', 7, 20));
    expect(take('query', 7, 20)).not.toEqual(take('query', 8, 20));
  });

  test('cuts a word into 1.1 to 1.3 tokens on average', async () => {
    const texts = take('docs', 1, 10);
    const share = (sum(await tokens(texts)) - 2 * texts.length) / sum(words(texts));
    expect(share).toBeGreaterThan(1.1);
    expect(share).toBeLessThan(1.3);
  });

  test('long: each text has 510 tokens', async () => {
    expect(new Set(await tokens(take('long', 1, 20)))).toEqual(new Set([510]));
  });

  test('mixed: the mean is near 33 words', () => {
    const lengths = words(take('mixed', 1, 100));
    expect(Math.abs(sum(lengths) / lengths.length - 33)).toBeLessThan(3);
  });

  test('refuses a name that is no workload', () => {
    expect(() => requestTexts('toString', 1).next()).toThrow('No workload "toString"');
  });
});
