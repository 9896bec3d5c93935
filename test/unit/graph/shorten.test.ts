import fc from 'fast-check';
import { shorten, WINDOW_CHARACTERS } from '../../../src/graph/shorten.ts';
import type { Input } from '../../../src/input.ts';
import { openNative } from '../../../src/tokenizer/native.ts';
import type { EncodeOptions, Tokenizer, TokenSequence } from '../../../src/tokenizer/tokenizer.ts';
import { folderOf } from '../../support/open-servable.ts';

/** The real tokenizer, which counts the characters that it is given. */
class CountingTokenizer implements Tokenizer {
  characters = 0;
  readonly #tokenizer: Tokenizer;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  get vocabSize(): number {
    return this.#tokenizer.vocabSize;
  }

  encode(inputs: readonly Input[], options: EncodeOptions): Promise<readonly TokenSequence[]> {
    for (const input of inputs) this.characters += typeof input === 'string' ? input.length : 0;
    return this.#tokenizer.encode(inputs, options);
  }

  close(): Promise<void> {
    return this.#tokenizer.close();
  }
}

const RIGHT = { maxTokens: 512, side: 'right' } as const;
const LEFT = { maxTokens: 512, side: 'left' } as const;

async function open(): Promise<CountingTokenizer> {
  const file = folderOf('models/all-MiniLM-L6-v2/tokenizer.json');
  return new CountingTokenizer(await openNative(file));
}

describe('shorten()', () => {
  test('leaves inputs that are not long as they are, unread', async () => {
    const tokenizer = await open();
    const inputs = ['a', 'b '.repeat(WINDOW_CHARACTERS / 2)];
    const short = await shorten(tokenizer, inputs, RIGHT);
    expect(short.inputs).toBe(inputs);
    expect(tokenizer.characters).toBe(0);
  });

  test('reads one window of two million dots', async () => {
    const tokenizer = await open();
    const { inputs, parts } = await shorten(tokenizer, ['.'.repeat(2_000_000)], RIGHT);
    expect([...parts]).toEqual([0]);
    expect(inputs[0]).toHaveLength(WINDOW_CHARACTERS);
    expect(tokenizer.characters).toBe(WINDOW_CHARACTERS);
  });

  test('reads on where a text begins with little, and stops where it becomes too much', async () => {
    const tokenizer = await open();
    const text = `${' '.repeat(100_000)}${'.'.repeat(1_900_000)}`;
    const { inputs } = await shorten(tokenizer, [text], RIGHT);
    expect(inputs[0]).toHaveLength(13 * WINDOW_CHARACTERS);
  });

  test.each([
    ['one word', 'x'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['words that windows cut', `${'x'.repeat(90)} `.repeat(110)],
  ])('keeps a long text of few tokens whole: %s', async (_name, text) => {
    const tokenizer = await open();
    const few = { maxTokens: text.includes('x ') ? 12_000 : 512, side: 'right' } as const;
    const { inputs, parts } = await shorten(tokenizer, [text], few);
    expect(inputs).toEqual([text]);
    expect(parts.size).toBe(0);
  });

  test.each([RIGHT, LEFT])(
    'changes no token that is kept when the $side side is cut',
    async (cut) => {
      const tokenizer = await open();
      const words = Array.from({ length: 30_000 }, (_word, at) => `w${at} 猫😀 Straße`).join(' ');
      const options = { addSpecialTokens: true, truncate: cut };
      const { inputs, parts } = await shorten(tokenizer, [words], cut);
      expect([...parts]).toEqual([0]);
      const [part] = await tokenizer.encode(inputs, options);
      const [whole] = await tokenizer.encode([words], options);
      expect(part?.ids).toEqual(whole?.ids);
    },
  );

  test('is not led astray by long words that windows cut', async () => {
    const tokenizer = await open();
    const word = 'jq'.repeat(100);
    const first = `${'a '.repeat(500)}${' '.repeat(8192)}`.slice(0, 8092) + word;
    const text = `${`${first}${' '.repeat(8192)}`.slice(0, 16_284)}${word} b`;
    const { inputs, parts } = await shorten(tokenizer, [text], RIGHT);
    expect(inputs).toEqual([text]);
    expect(parts.size).toBe(0);
  });

  test('agrees with the whole text about what is too long, and about what stays', async () => {
    const tokenizer = await open();
    const piece = fc.record({
      text: fc.constantFrom(' ', 'a ', '.', 'jq'.repeat(60), 'w'.repeat(99), '猫', ' né '),
      count: fc.integer({ min: 1, max: 1500 }),
    });
    const texts = fc
      .array(piece, { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.map(({ text, count }) => text.repeat(count)).join(''));
    const property = fc.asyncProperty(texts, fc.constantFrom(RIGHT, LEFT), async (text, cut) => {
      const { inputs, parts } = await shorten(tokenizer, [text], cut);
      const whole = { addSpecialTokens: true, truncate: null };
      const [all] = await tokenizer.encode([text], whole);
      if (parts.size > 0) expect(all?.ids.length).toBeGreaterThan(cut.maxTokens);
      const [kept] = await tokenizer.encode(inputs, { ...whole, truncate: cut });
      const [expected] = await tokenizer.encode([text], { ...whole, truncate: cut });
      expect(kept?.ids).toEqual(expected?.ids);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('shortens both texts of a pair', async () => {
    const tokenizer = await open();
    const long = '.'.repeat(100_000);
    const { inputs } = await shorten(tokenizer, [{ first: 'q', second: long }], RIGHT);
    expect(inputs).toEqual([{ first: 'q', second: '.'.repeat(WINDOW_CHARACTERS) }]);
  });
});
