import { forXenova, isRoberta } from '../../../src/tokenizer/xenova-json.ts';

describe('forXenova()', () => {
  test('writes merges as text', () => {
    const { model } = forXenova({ model: { vocab: {}, merges: [['a', 'b'], 'c d'] } });
    expect(model).toEqual({ vocab: {}, merges: ['a b', 'c d'] });
  });

  test('gives each Metaspace its prefix space, unless the file says otherwise', () => {
    const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' };
    const old = { type: 'Metaspace', replacement: '▁', add_prefix_space: false };
    const split = { type: 'WhitespaceSplit' };
    const { pre_tokenizer: preTokenizer } = forXenova({
      model: {},
      pre_tokenizer: { type: 'Sequence', pretokenizers: [split, metaspace, old] },
    });
    expect(preTokenizer).toEqual({
      type: 'Sequence',
      pretokenizers: [split, { ...metaspace, add_prefix_space: true }, old],
    });
  });

  test('fills in what a file leaves out', () => {
    expect(forXenova({ model: { vocab: [] } })).toEqual({
      model: { vocab: [] },
      added_tokens: [],
      decoder: null,
      normalizer: null,
      post_processor: null,
      pre_tokenizer: null,
    });
  });
});

describe('isRoberta()', () => {
  test.each([
    [{ type: 'RobertaProcessing' }, true],
    [
      { type: 'Sequence', processors: [{ type: 'ByteLevel' }, { type: 'RobertaProcessing' }] },
      true,
    ],
    [{ type: 'Sequence', processors: [{ type: 'ByteLevel' }] }, false],
    [{ type: 'TemplateProcessing' }, false],
    [null, false],
  ])('of %j is %j', (postProcessor, expected) => {
    expect(isRoberta(postProcessor)).toBe(expected);
  });
});
