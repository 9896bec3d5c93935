import { tokenizeWith } from '../../../src/graph/tokenize.ts';
import { WINDOW_CHARACTERS } from '../../../src/graph/shorten.ts';
import { MAX_TOKENIZED_TOKENS } from '../../../src/limits/constants.ts';
import type { EncodeOptions, TokenSequence } from '../../../src/tokenizer/tokenizer.ts';

/** A token for each character, and one special token; it counts the longest text it was given. */
class CharacterTokenizer {
  readonly vocabSize = 65_536;
  longest = 0;

  encode(
    inputs: readonly unknown[],
    { addSpecialTokens, truncate }: EncodeOptions,
  ): Promise<readonly TokenSequence[]> {
    const sequences = inputs.map((input) => {
      const text = String(input);
      this.longest = Math.max(this.longest, text.length);
      const ids = Array.from(text, (character) => character.charCodeAt(0));
      const all = addSpecialTokens ? [...ids, 0] : ids;
      return { ids: Int32Array.from(all.slice(0, truncate?.maxTokens)), typeIds: null };
    });
    return Promise.resolve(sequences);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const PLAIN = { addSpecialTokens: false, truncate: null, param: 'text' };

function open(contextLength = 512): {
  tokenizer: CharacterTokenizer;
  tokenize: ReturnType<typeof tokenizeWith>;
} {
  const tokenizer = new CharacterTokenizer();
  return {
    tokenizer,
    tokenize: tokenizeWith({ tokenizer, limits: { maxBatchSize: 8, contextLength } }),
  };
}

describe('tokenizeWith()', () => {
  test('passes options on, and refuses no text for the context length', async () => {
    const { tokenize } = open(3);
    const truncate = { maxTokens: 2, side: 'right' } as const;
    const sequences = await tokenize(['a', 'abcdef'], { ...PLAIN, addSpecialTokens: true });
    expect(sequences.map(({ ids }) => ids.length)).toEqual([2, 7]);
    const [cut] = await tokenize(['abcdef'], { ...PLAIN, truncate });
    expect(cut?.ids).toEqual(Int32Array.of(97, 98));
  });

  test('takes a text of as many tokens as the limit, and none of one more', async () => {
    const { tokenize } = open();
    const [sequence] = await tokenize(['a'.repeat(MAX_TOKENIZED_TOKENS)], PLAIN);
    expect(sequence?.ids).toHaveLength(MAX_TOKENIZED_TOKENS);
    await expect(tokenize(['', 'a'.repeat(MAX_TOKENIZED_TOKENS + 1)], PLAIN)).rejects.toMatchObject(
      {
        code: 'input_too_long',
        param: 'text',
      },
    );
  });

  test('takes longer texts where the context is longer', async () => {
    const { tokenize } = open(MAX_TOKENIZED_TOKENS + 1);
    const [sequence] = await tokenize(['a'.repeat(MAX_TOKENIZED_TOKENS + 1)], PLAIN);
    expect(sequence?.ids).toHaveLength(MAX_TOKENIZED_TOKENS + 1);
  });

  test('tokenizes no more of a very long text than it needs', async () => {
    const { tokenizer, tokenize } = open();
    const truncate = { maxTokens: 10, side: 'right' } as const;
    const text = 'abcd'.repeat(500_000);
    const [sequence] = await tokenize([text], { ...PLAIN, truncate });
    expect(sequence?.ids).toEqual(Int32Array.from('abcdabcdab', (c) => c.charCodeAt(0)));
    expect(tokenizer.longest).toBeLessThanOrEqual(2 * WINDOW_CHARACTERS);
    await expect(tokenize([text], PLAIN)).rejects.toThrow(/at least \d+ tokens/);
    expect(tokenizer.longest).toBeLessThan(text.length / 4);
  });

  test('refuses instead of cutting to more than the limit', async () => {
    const { tokenize } = open();
    const truncate = { maxTokens: 1e9, side: 'right' } as const;
    const text = 'a'.repeat(MAX_TOKENIZED_TOKENS + 1);
    await expect(tokenize([text], { ...PLAIN, truncate })).rejects.toThrow(/limit of one text/);
  });
});
