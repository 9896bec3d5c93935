import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  describeModel,
  maxLengthFault,
  type ModelDescription,
} from '../../../src/model-files/describe.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  folder.remove();
});

function describeFiles(files: Readonly<Record<string, unknown>>): ModelDescription {
  for (const [file, content] of Object.entries({ 'config.json': {}, ...files })) {
    folder.write(file, JSON.stringify(content));
  }
  return describeModel(folder.path);
}

describe('describeModel() of the models in this repository', () => {
  test.each([
    ['tiny-bert-embeddings', 'CLS'],
    ['tiny-classifier', null],
    ['tiny-last-token', 'LAST'],
    ['tiny-long-context', 'MEAN'],
    ['tiny-pooled', 'MEAN'],
    ['tiny-reranker', null],
    ['tiny-roberta-embeddings', 'MEAN'],
    ['tiny-xlmr-unigram', 'MEAN'],
  ])('%s: as its reference says', (name, pooling) => {
    const path = join(ROOT, 'test/fixtures', name);
    const expected = JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8')) as {
      max_tokens: number;
      pad_token_id: number;
      labels?: string[];
    };
    expect(describeModel(path)).toMatchObject({
      contextLength: { tokens: expected.max_tokens, source: 'max_position_embeddings' },
      padTokenId: expected.pad_token_id,
      pooling,
      unsupportedPooling: null,
      unsupportedModules: [],
      hiddenSize: 32,
      ...(expected.labels && { labels: expected.labels }),
    });
  });

  test('all-MiniLM-L6-v2', () => {
    expect(describeModel(join(ROOT, 'models/all-MiniLM-L6-v2'))).toEqual({
      contextLength: { tokens: 512, source: 'max_position_embeddings' },
      pooling: 'MEAN',
      unsupportedPooling: null,
      unsupportedModules: [],
      padTokenId: 0,
      positionOffset: 0,
      labels: [],
      problemType: null,
      hiddenSize: 384,
      vocabSize: 30_522,
    });
  });

  test('says where the positions of RoBERTa start, and the labels of a classifier', () => {
    const fixtures = join(ROOT, 'test/fixtures');
    expect(describeModel(join(fixtures, 'tiny-roberta-embeddings')).positionOffset).toBe(2);
    expect(describeModel(join(fixtures, 'tiny-bert-embeddings')).positionOffset).toBe(0);
    expect(describeModel(join(fixtures, 'tiny-classifier')).problemType).toBe(
      'single_label_classification',
    );
    expect(describeModel(join(fixtures, 'tiny-reranker')).labels).toEqual(['LABEL_0']);
  });
});

describe('describeModel() of a context length', () => {
  test.each([
    [{}, 1024, null],
    [
      { n_ctx: 5, seq_length: 4, seq_len: 3, n_positions: 2, max_position_embeddings: 1 },
      1,
      'max_position_embeddings',
    ],
    [{ n_ctx: 5, seq_length: 4, seq_len: 3, n_positions: 2 }, 2, 'n_positions'],
    [{ n_ctx: 5, seq_length: 4, seq_len: 3 }, 3, 'seq_len'],
    [{ n_ctx: 5, seq_length: 4 }, 4, 'seq_length'],
    [{ n_ctx: 5 }, 5, 'n_ctx'],
    [{ max_position_embeddings: -1, n_positions: 512 }, 512, 'n_positions'],
    [{ max_position_embeddings: null, n_ctx: '8' }, 1024, null],
    [
      { model_type: 'mpnet', max_position_embeddings: 514, pad_token_id: 1 },
      512,
      'max_position_embeddings',
    ],
    [
      { model_type: 'xlm-roberta', max_position_embeddings: 8194, pad_token_id: 1 },
      8192,
      'max_position_embeddings',
    ],
    [{ model_type: 'camembert', max_position_embeddings: 514 }, 512, 'max_position_embeddings'],
    [
      { model_type: 'bert', max_position_embeddings: 514, pad_token_id: 1 },
      514,
      'max_position_embeddings',
    ],
    [{ model_type: 'roberta', max_position_embeddings: 2, pad_token_id: 1 }, 1024, null],
  ])('%j: %d', (config, tokens, source) => {
    expect(describeFiles({ 'config.json': config }).contextLength).toEqual({ tokens, source });
  });
});

describe('describeModel() of a pooling', () => {
  const none = { pooling: null, unsupportedPooling: null };
  test.each([
    [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'CLS', null],
    [{ pooling_mode_cls_token: true }, 'CLS', null],
    [{ pooling_mode_lasttoken: true, pooling_mode_mean_tokens: false }, 'LAST', null],
    [{ pooling_mode_mean_tokens: true }, 'MEAN', null],
    [{ word_embedding_dimension: 32 }, 'MEAN', null],
    [{ pooling_mode: 'cls' }, 'CLS', null],
    [{ pooling_mode: 'lasttoken' }, 'LAST', null],
    [{ pooling_mode: 'max' }, null, 'max'],
    [{ pooling_mode_max_tokens: true }, null, 'max_tokens'],
    [{ pooling_mode_mean_sqrt_len_tokens: true }, null, 'mean_sqrt_len_tokens'],
    [{ pooling_mode_weightedmean_tokens: true }, null, 'weightedmean_tokens'],
    [
      { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true },
      null,
      'cls_token + mean_tokens',
    ],
    [{ pooling_mode_mean_tokens: false }, null, null],
  ])('%j: %s', (file, pooling, unsupportedPooling) => {
    const files = { '1_Pooling/config.json': file };
    expect(describeFiles(files)).toMatchObject({ pooling, unsupportedPooling });
  });

  test('is nothing without a file', () => {
    expect(describeFiles({})).toMatchObject(none);
  });

  test('is in the folder that modules.json names', () => {
    const files = {
      'modules.json': [
        { path: '', type: 'sentence_transformers.models.Transformer' },
        { path: '2_Pool', type: 'sentence_transformers.models.Pooling' },
        { path: '3_Dense', type: 'sentence_transformers.models.Dense' },
        { path: '4_Normalize', type: 'sentence_transformers.models.Normalize' },
      ],
      '1_Pooling/config.json': { pooling_mode_cls_token: true },
      '2_Pool/config.json': { pooling_mode_lasttoken: true, pooling_mode_mean_tokens: false },
    };
    expect(describeFiles(files)).toMatchObject({ pooling: 'LAST', unsupportedModules: ['Dense'] });
  });

  test.each([[[null]], [[{}]], [[]]])('takes %j as modules', (modules) => {
    expect(describeFiles({ 'modules.json': modules })).toMatchObject(none);
  });
});

describe('describeModel() of a padding id', () => {
  const added = { added_tokens_decoder: { 7: { content: '<pad>' }, 8: { content: '<s>' } } };
  test.each([
    [
      'config.json first',
      {
        'config.json': { pad_token_id: 3 },
        'tokenizer_config.json': { pad_token: '<pad>', ...added },
      },
      3,
    ],
    [
      'the token of tokenizer_config.json',
      { 'tokenizer_config.json': { pad_token: '<pad>', ...added } },
      7,
    ],
    [
      'a token that is an object',
      { 'tokenizer_config.json': { pad_token: { content: '<pad>' }, ...added } },
      7,
    ],
    [
      'the token of special_tokens_map.json',
      {
        'special_tokens_map.json': { pad_token: { content: '<s>' } },
        'tokenizer_config.json': added,
      },
      8,
    ],
    [
      '0 for want of a token',
      { 'config.json': { pad_token_id: null }, 'tokenizer_config.json': added },
      0,
    ],
    [
      '0 for a token without an id',
      { 'tokenizer_config.json': { pad_token: '[PAD]', ...added } },
      0,
    ],
    ['0 for an id that is none', { 'config.json': { pad_token_id: -1 } }, 0],
    ['1 for models like RoBERTa', { 'config.json': { model_type: 'mpnet' } }, 1],
  ])('takes %s', (_, files, id) => {
    expect(describeFiles(files).padTokenId).toBe(id);
  });
});

describe('describeModel()', () => {
  test('puts labels in the order of their ids', () => {
    const id2label = { 10: 'k', 2: 'c', 0: 'a', 1: 5 };
    expect(describeFiles({ 'config.json': { id2label } }).labels).toEqual(['a', '5', 'c', 'k']);
  });

  test('skips a byte order mark', () => {
    folder.write('config.json', '\uFEFF{"hidden_size": 8}');
    expect(describeModel(folder.path).hiddenSize).toBe(8);
  });
});

describe('maxLengthFault()', () => {
  const known = { tokens: 512, source: 'n_ctx' };
  test.each([
    [undefined, known],
    [1, known],
    [512, known],
    [4096, { tokens: 1024, source: null }],
  ])('takes %j', (maxLength, contextLength) => {
    expect(maxLengthFault(maxLength, contextLength)).toBeNull();
  });

  test('names both numbers', () => {
    expect(maxLengthFault(513, known)).toBe(
      'must be at most 512, the context length of the model (n_ctx in config.json), not 513',
    );
  });
});
