import type { Input } from '../input.ts';
import { CHARACTERS_PER_TOKEN } from '../limits/constants.ts';
import type { Tokenizer, Truncation } from '../tokenizer/tokenizer.ts';

/** UTF-16 units of a text that are tokenized at a time to see whether it is plainly too long. */
export const WINDOW_CHARACTERS = 8192;

/**
 * Tokens that a cut through a word may add: whole it may be one token, and its two parts one for each
 * character. Source: `max_input_chars_per_word` of WordPiece is 100.
 */
const CUT_TOKENS = 200;

/** Inputs of which none is much longer than a model takes. */
export interface Shortened {
  readonly inputs: readonly Input[];
  /** Indexes of inputs of which only a part is left; it still has more tokens than may stay. */
  readonly parts: ReadonlySet<number>;
}

/**
 * Replaces texts that are plainly too long by a part at their beginning or end that is too long as
 * well: two million dots would be two million tokens, for a gigabyte of memory and seconds of work.
 *
 * @param tokenizer - Of the model.
 * @param inputs - Of a request.
 * @param truncation - Tokens that may stay, and which end of a text would be cut.
 * @returns The inputs, parts among them; their first tokens (last ones if the left side is cut) are
 *   those of the whole text.
 */
export async function shorten(
  tokenizer: Tokenizer,
  inputs: readonly Input[],
  truncation: Truncation,
): Promise<Shortened> {
  const parts = new Set<number>();
  const least = Math.max(WINDOW_CHARACTERS, truncation.maxTokens * CHARACTERS_PER_TOKEN);
  if (inputs.every((input) => lengthOf(input) <= least)) return { inputs, parts };
  const shortened = [...inputs];
  // Of pairs the first text may be one and the same.
  const known = new Map<string, Promise<string>>();
  function shorterText(text: string): Promise<string> {
    const part = known.get(text) ?? partOf(tokenizer, text, truncation);
    known.set(text, part);
    return part;
  }
  for (const [index, input] of inputs.entries()) {
    if (lengthOf(input) <= least) continue;
    const shorter = await shorterOf(input, shorterText);
    if (shorter === input) continue;
    shortened[index] = shorter;
    parts.add(index);
  }
  return { inputs: shortened, parts };
}

function lengthOf(input: Input): number {
  return typeof input === 'string'
    ? input.length
    : Math.max(input.first.length, input.second.length);
}

async function shorterOf(
  input: Input,
  shorterText: (text: string) => Promise<string>,
): Promise<Input> {
  if (typeof input === 'string') return shorterText(input);
  const first = await shorterText(input.first);
  const second = await shorterText(input.second);
  return first === input.first && second === input.second ? input : { first, second };
}

async function partOf(
  tokenizer: Tokenizer,
  text: string,
  { maxTokens, side }: Truncation,
): Promise<string> {
  let tokens = 0;
  // The last cut may change the tokens before it, too.
  let allowed = maxTokens + CUT_TOKENS;
  for (let done = 0; done < text.length;) {
    const end = Math.min(text.length, done + WINDOW_CHARACTERS);
    const window = side === 'right' ? text.slice(done, end) : text.slice(-end, text.length - done);
    const [sequence] = await tokenizer.encode([window], {
      addSpecialTokens: false,
      truncate: null,
    });
    tokens += sequence?.ids.length ?? 0;
    allowed += CUT_TOKENS;
    done = end;
    if (tokens > allowed) return side === 'right' ? text.slice(0, done) : text.slice(-done);
  }
  return text;
}
