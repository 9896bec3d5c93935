import { CHUNK_CHARACTERS, CHUNK_INPUTS, chunks } from '../../../src/tokenizer/chunk.ts';

const half = 'x'.repeat(CHUNK_CHARACTERS / 2);

function sizes(inputs: Parameters<typeof chunks>[0]): readonly number[] {
  return Array.from(chunks(inputs), (chunk) => chunk.length);
}

describe('chunks()', () => {
  test('keeps the inputs and their order', () => {
    const inputs = Array.from({ length: 1000 }, (_, index) => String(index));
    expect([...chunks(inputs)].flat()).toEqual(inputs);
  });

  test('cuts by number, exactly at the bound', () => {
    expect(sizes(new Array<string>(CHUNK_INPUTS).fill('a'))).toEqual([CHUNK_INPUTS]);
    expect(sizes(new Array<string>(CHUNK_INPUTS + 1).fill('a'))).toEqual([CHUNK_INPUTS, 1]);
  });

  test('cuts by characters, exactly at the bound', () => {
    expect(sizes([half, half])).toEqual([2]);
    expect(sizes([half, half, 'x'])).toEqual([2, 1]);
    expect(sizes([half, `${half}x`])).toEqual([1, 1]);
  });

  test('counts both texts of a pair', () => {
    const pair = { first: 'x', second: half };
    expect(sizes([pair, pair])).toEqual([1, 1]);
  });

  test('gives an input that is larger than a chunk one of its own', () => {
    expect(sizes(['a', half + half + half, 'b'])).toEqual([1, 1, 1]);
  });

  test('gives no chunk of no inputs', () => {
    expect(sizes([])).toEqual([]);
  });
});
