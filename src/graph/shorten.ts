import type { Input } from '../input.ts';
import type { Tokenizer, Truncation } from '../tokenizer/tokenizer.ts';

/** UTF-16 units of a text that are tokenized at a time to see whether it is plainly too long. */
export const WINDOW_CHARACTERS = 8192;

/** A text is looked at in windows if it has more UTF-16 units than this for each token that may stay. */
const CHARACTERS_PER_TOKEN = 8;

/**
 * Tokens that a cut through a word may add: a word of up to 100 characters may be one token whole and
 * one for each character in parts. Source: `max_input_chars_per_word` of WordPiece.
 */
const CUT_TOKENS = 128;

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
  for (const [index, input] of inputs.entries()) {
    if (lengthOf(input) <= least) continue;
    const shorter = await shorterOf(tokenizer, input, truncation);
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
  tokenizer: Tokenizer,
  input: Input,
  truncation: Truncation,
): Promise<Input> {
  if (typeof input === 'string') return partOf(tokenizer, input, truncation);
  const first = await partOf(tokenizer, input.first, truncation);
  const second = await partOf(tokenizer, input.second, truncation);
  return first === input.first && second === input.second ? input : { first, second };
}

async function partOf(
  tokenizer: Tokenizer,
  text: string,
  { maxTokens, side }: Truncation,
): Promise<string> {
  let tokens = 0;
  let allowed = maxTokens;
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
