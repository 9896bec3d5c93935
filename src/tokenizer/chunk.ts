import type { Input } from '../input.ts';
import type { EncodeOptions, TokenSequence } from './tokenizer.ts';

/**
 * Most inputs of a chunk. 256 short texts keep the main thread busy for about 2 ms (measured: 8 µs
 * each, from string to Int32Array). Chunks of 64 took 1.5 times as long in all.
 */
export const CHUNK_INPUTS = 256;

/**
 * Most UTF-16 units of a chunk, unless a single input has more. 65,536 of English are about 14,000
 * tokens, which the main thread converts in about 2 ms; larger chunks are no faster.
 */
export const CHUNK_CHARACTERS = 65_536;

function charactersOf(input: Input): number {
  return typeof input === 'string' ? input.length : input.first.length + input.second.length;
}

/**
 * Cuts a list of inputs so that the work between two turns of the event loop is bounded, and other
 * requests get their turn in between.
 *
 * @param inputs - Of one request.
 * @yields Slices in order, none of them empty; within {@link CHUNK_INPUTS} and
 *   {@link CHUNK_CHARACTERS}, but for a single input that is larger.
 */
export function* chunks(inputs: readonly Input[]): Generator<readonly Input[]> {
  let start = 0;
  let characters = 0;
  for (const [index, input] of inputs.entries()) {
    const more = charactersOf(input);
    const isFull = index - start === CHUNK_INPUTS || characters + more > CHUNK_CHARACTERS;
    if (index > start && isFull) {
      yield inputs.slice(start, index);
      start = index;
      characters = 0;
    }
    characters += more;
  }
  if (start < inputs.length) yield inputs.slice(start);
}

/**
 * Whether the rest of the inputs need not be encoded.
 *
 * @param sequences - Of the chunks so far.
 * @param options - May name the tokens above which nobody wants the rest.
 * @returns Whether a sequence has more.
 */
export function mayStop(
  sequences: readonly TokenSequence[],
  { stopAbove }: EncodeOptions,
): boolean {
  return stopAbove !== undefined && sequences.some(({ ids }) => ids.length > stopAbove);
}
