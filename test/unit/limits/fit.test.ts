import { fit } from '../../../src/limits/fit.ts';
import { thrown } from '../../support/thrown.ts';

function sequence(tokens: number) {
  return { ids: new Int32Array(tokens), typeIds: null };
}

describe('fit()', () => {
  test.each([2, 512])('passes rows of exactly %d tokens', (contextLength) => {
    const sequences = [sequence(2), sequence(contextLength)];
    expect(fit(sequences, { contextLength, param: 'input', positions: [0, 1] })).toBe(sequences);
  });

  test('refuses a row of one token more, and names the first input that has it', () => {
    const sequences = [sequence(2), sequence(513), sequence(600)];
    const options = { contextLength: 512, param: 'inputs', positions: [0, 0, 2, 1] };
    const error = thrown(() => fit(sequences, options));
    expect(error).toMatchObject({ code: 'input_too_long', param: 'inputs' });
    expect(String(error)).toContain('Cannot process input 2: it has 600 tokens');
    expect(String(error)).toContain('the context length is 512');
  });
});
