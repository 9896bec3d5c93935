import type { Truncation } from './tokenizer.ts';

/** Tokens of an input's texts, without special tokens; `second` is 0 where there is only one text. */
export interface TextLengths {
  readonly first: number;
  readonly second: number;
}

/**
 * How much of an input's texts may stay: the second text is cut before the first.
 *
 * @param lengths - Tokens that they have.
 * @param room - Tokens that fit beside the special tokens; a negative room is none.
 * @returns Tokens to keep of each.
 */
export function keptLengths({ first, second }: TextLengths, room: number): TextLengths {
  const keptFirst = Math.min(first, Math.max(0, room));
  return { first: keptFirst, second: Math.min(second, Math.max(0, room - keptFirst)) };
}

/**
 * Cuts the tokens of one text.
 *
 * @param tokens - Of a text, without special tokens.
 * @param kept - Tokens to keep, at most as many as there are.
 * @param side - The end that is cut.
 * @returns The tokens themselves where all are kept, else a shorter copy.
 */
export function cutText<Token>(
  tokens: readonly Token[],
  kept: number,
  side: Truncation['side'],
): readonly Token[] {
  if (kept === tokens.length) return tokens;
  return side === 'right' ? tokens.slice(0, kept) : tokens.slice(tokens.length - kept);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

// A text's tokens are next to each other.
function rangeOf(textIds: readonly (number | null | undefined)[], text: number): Range {
  const start = textIds.indexOf(text);
  return start === -1 ? { start: 0, end: 0 } : { start, end: textIds.lastIndexOf(text) + 1 };
}

function cutRange({ start, end }: Range, kept: number, side: Truncation['side']): Range {
  return side === 'right' ? { start: start + kept, end } : { start, end: end - kept };
}

/**
 * Which tokens of a finished sequence stay, so that it is as if its texts had been cut before the
 * special tokens were added.
 *
 * @param textIds - For each token 0 (of the first text), 1 (of the second) or null (special).
 * @param truncation - How to cut.
 * @returns Indexes into the sequence, ascending; at most `maxTokens`, even where the special tokens
 *   alone are more.
 */
export function keptTokens(
  textIds: readonly (number | null | undefined)[],
  { maxTokens, side }: Truncation,
): readonly number[] {
  const one = rangeOf(textIds, 0);
  const other = rangeOf(textIds, 1);
  const lengths = { first: one.end - one.start, second: other.end - other.start };
  const special = textIds.length - lengths.first - lengths.second;
  const kept = keptLengths(lengths, maxTokens - special);
  const gaps = [cutRange(one, kept.first, side), cutRange(other, kept.second, side)];
  const indexes: number[] = [];
  let index = 0;
  while (index < textIds.length && indexes.length < maxTokens) {
    const at = index;
    const gap = gaps.find(({ start, end }) => start <= at && at < end);
    if (gap === undefined) indexes.push(index++);
    else index = gap.end;
  }
  return indexes;
}
