import { parseTokenize, tokenizeReply } from '../../../src/protocol/tokenize.ts';
import { thrown } from '../../support/thrown.ts';

describe('parseTokenize()', () => {
  test('fills in what was left out', () => {
    expect(parseTokenize({ text: 'x' })).toEqual({
      model: null,
      inputs: ['x'],
      param: 'text',
      isSingle: true,
      addSpecialTokens: true,
      maxLength: null,
    });
  });

  test('takes null for absent, and ignores what it does not know', () => {
    const nulls = { model: null, inputs: null, add_special_tokens: null, max_length: null };
    expect(parseTokenize({ ...nulls, text: 'x', pad: 5 })).toEqual(parseTokenize({ text: 'x' }));
  });

  test('reads inputs as another name of text', () => {
    const call = parseTokenize({ text: null, inputs: ['x'], add_special_tokens: false });
    expect(call).toMatchObject({ param: 'inputs', isSingle: false, addSpecialTokens: false });
    expect(parseTokenize({ inputs: '', max_length: 5 })).toMatchObject({
      inputs: [''],
      isSingle: true,
      maxLength: 5,
    });
  });

  test.each([
    ['text', {}],
    ['text', { text: null, inputs: null }],
    ['text', { text: [1] }],
    ['text', { text: [] }],
    ['inputs', { inputs: [['a']] }],
    ['inputs', { inputs: 5 }],
    ['inputs', { text: 'a', inputs: 'b' }],
    ['model', { text: 'a', model: '' }],
    ['add_special_tokens', { text: 'a', add_special_tokens: 1 }],
    ['max_length', { text: 'a', max_length: 0 }],
    ['max_length', { text: 'a', max_length: 2.5 }],
  ])('refuses %s in %j', (param, body) => {
    const error = thrown(() => parseTokenize(body));
    expect(error).toMatchObject({ code: 'invalid_field', param });
    expect(String(error)).toContain(`Cannot use the field "${param}": it `);
  });
});

describe('tokenizeReply()', () => {
  const sequences = [Int32Array.of(1, 2), Int32Array.of()];

  test('has a list for a text', () => {
    const call = parseTokenize({ text: 'x' });
    expect(tokenizeReply(call, sequences.slice(0, 1))).toEqual({ tokens: [1, 2] });
    expect(tokenizeReply(call, sequences.slice(1))).toEqual({ tokens: [] });
  });

  test('has a list of lists for a list, also of one', () => {
    const call = parseTokenize({ text: ['x'] });
    expect(tokenizeReply(call, sequences)).toEqual({ tokens: [[1, 2], []] });
    expect(tokenizeReply(call, sequences.slice(0, 1))).toEqual({ tokens: [[1, 2]] });
  });
});
