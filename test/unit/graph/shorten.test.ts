import { shorten, WINDOW_CHARACTERS } from '../../../src/graph/shorten.ts';
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

  encode(inputs: readonly string[], options: EncodeOptions): Promise<readonly TokenSequence[]> {
    for (const input of inputs) this.characters += input.length;
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
      const [part] = await tokenizer.encode(inputs as string[], options);
      const [whole] = await tokenizer.encode([words], options);
      expect(part?.ids).toEqual(whole?.ids);
    },
  );

  test('shortens both texts of a pair', async () => {
    const tokenizer = await open();
    const long = '.'.repeat(100_000);
    const { inputs } = await shorten(tokenizer, [{ first: 'q', second: long }], RIGHT);
    expect(inputs).toEqual([{ first: 'q', second: '.'.repeat(WINDOW_CHARACTERS) }]);
  });
});
