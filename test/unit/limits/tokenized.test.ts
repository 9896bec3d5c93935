import { requireTokenizable } from '../../../src/limits/tokenized.ts';
import { thrown } from '../../support/thrown.ts';

function sequenceOf(tokens: number): { ids: Int32Array; typeIds: null } {
  return { ids: new Int32Array(tokens), typeIds: null };
}

describe('requireTokenizable()', () => {
  test('takes texts up to the limit', () => {
    expect(() => {
      requireTokenizable([0, 8].map(sequenceOf), { maxTokens: 8, param: 'text', parts: new Set() });
    }).not.toThrow();
  });

  test('refuses the first text of a token more', () => {
    const sequences = [8, 9, 10].map(sequenceOf);
    const limits = { maxTokens: 8, param: 'text', parts: new Set<number>() };
    const error = thrown(() => {
      requireTokenizable(sequences, limits);
    });
    expect(error).toMatchObject({ code: 'input_too_long', param: 'text' });
    expect(String(error)).toMatch(/input 1: it has 9 tokens, and the limit of one text is 8/);
  });

  test('says of a part that the text has at least so many', () => {
    const limits = { maxTokens: 8, param: 'inputs', parts: new Set([0]) };
    const error = thrown(() => {
      requireTokenizable([sequenceOf(12)], limits);
    });
    expect(error).toMatchObject({ param: 'inputs' });
    expect(String(error)).toContain('it has at least 12 tokens');
  });
});
