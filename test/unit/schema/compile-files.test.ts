import { compileSchema } from '../../../src/schema/compile.ts';

const FILE = {
  type: 'object',
  additionalProperties: false,
  required: ['models_path'],
  properties: {
    models_path: { type: 'string', format: 'path', minLength: 1 },
    max_batch_size: { type: 'integer', minimum: 1, maximum: 8, default: 4 },
    pooling: { enum: ['CLS', 'LAST', 'MEAN'] },
    truncate: { type: 'boolean' },
    streams: {
      anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1 }],
      default: 'auto',
    },
    tokenizer: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { file: { type: 'string', default: 'tokenizer.json' } },
    },
    threads: {
      anyOf: [{ const: 'auto' }, { type: 'integer' }],
      reason: 'must be auto or a number',
    },
    entries: { type: 'object', additionalProperties: { type: 'string' } },
    nodes: { type: 'array', minItems: 1, maxItems: 1, items: { type: 'object' } },
  },
};

describe('compileSchema() for files', () => {
  const check = compileSchema(FILE, { defaults: true });
  const rows: readonly [string, unknown, readonly (string | number)[], string][] = [
    ['another type', 5, [], 'must be an object, not 5'],
    ['a missing key', {}, ['models_path'], 'is required'],
    [
      'a misspelled key before the one that is missing for it',
      { model_path: 'm' },
      ['model_path'],
      'unknown key, did you mean models_path; allowed: models_path, max_batch_size, pooling, truncate, streams, tokenizer, threads, entries, nodes',
    ],
    [
      'a key like no other',
      { models_path: 'm', tokenizer: { colour: 1 } },
      ['tokenizer', 'colour'],
      'unknown key; allowed: file',
    ],
    [
      'a number as a string',
      { models_path: 123 },
      ['models_path'],
      'must be a non-empty string, not 123',
    ],
    ['an empty string', { models_path: '' }, ['models_path'], 'must be a non-empty string, not ""'],
    [
      'true as a string',
      { models_path: true },
      ['models_path'],
      'must be a non-empty string, not true',
    ],
    [
      'a number below the range',
      { models_path: 'm', max_batch_size: 0 },
      ['max_batch_size'],
      'must be a whole number from 1 to 8, not 0',
    ],
    [
      'a number above the range',
      { models_path: 'm', max_batch_size: 9 },
      ['max_batch_size'],
      'must be a whole number from 1 to 8, not 9',
    ],
    [
      'a fraction',
      { models_path: 'm', max_batch_size: 1.5 },
      ['max_batch_size'],
      'must be a whole number from 1 to 8, not 1.5',
    ],
    [
      'not a number',
      { models_path: 'm', max_batch_size: NaN },
      ['max_batch_size'],
      'must be a whole number from 1 to 8, not NaN',
    ],
    [
      'a string for a boolean',
      { models_path: 'm', truncate: 'yes' },
      ['truncate'],
      'must be true or false, not "yes"',
    ],
    [
      'a value that is not in the list',
      { models_path: 'm', pooling: 'max' },
      ['pooling'],
      'must be one of CLS, LAST, MEAN, not "max"',
    ],
    [
      'none of several',
      { models_path: 'm', streams: 0 },
      ['streams'],
      'must be auto or a whole number of at least 1, not 0',
    ],
    ...[0.5, 'many', null, []].map((threads): (typeof rows)[number] => [
      'what came behind a reason',
      { models_path: 'm', threads },
      ['threads'],
      `must be auto or a number, not ${Array.isArray(threads) ? 'an empty list' : JSON.stringify(threads)}`,
    ]),
    [
      'a value of a free map',
      { models_path: 'm', entries: { 'a/b~c': 1 } },
      ['entries', 'a/b~c'],
      'must be a string, not 1',
    ],
    [
      'an empty list',
      { models_path: 'm', nodes: [] },
      ['nodes'],
      'must be a list of exactly 1 item, not an empty list',
    ],
    [
      'a list that is too long',
      { models_path: 'm', nodes: [{}, {}] },
      ['nodes'],
      'must be a list of exactly 1 item, not a list of 2 items',
    ],
    ['an item', { models_path: 'm', nodes: [null] }, ['nodes', 0], 'must be an object, not null'],
  ];

  test.each(rows)('tells of %s', (...[, value, path, reason]) => {
    expect(check(value)).toEqual({ path, reason });
  });

  test('fills in defaults, nested ones too', () => {
    const value = { models_path: 'm' };
    expect(check(value)).toBeNull();
    expect(value).toEqual({
      models_path: 'm',
      max_batch_size: 4,
      streams: 'auto',
      tokenizer: { file: 'tokenizer.json' },
    });
  });

  test('gives each value its own defaults', () => {
    const one = { models_path: 'm' };
    const other = { models_path: 'm' };
    check(one);
    check(other);
    expect((one as Record<string, unknown>)['tokenizer']).not.toBe(
      (other as Record<string, unknown>)['tokenizer'],
    );
  });

  test('picks the branch that `if` chooses', () => {
    const branch = compileSchema(
      {
        type: 'object',
        properties: { type: { enum: ['a'] }, options: { type: 'object' } },
        allOf: [
          {
            if: { required: ['type'], properties: { type: { const: 'a' } } },
            then: {
              properties: { options: { properties: { n: { type: 'number', default: 1 } } } },
            },
          },
        ],
      },
      { defaults: true },
    );
    const value = { type: 'a', options: {} };
    expect(branch(value)).toBeNull();
    expect(value).toEqual({ type: 'a', options: { n: 1 } });
    expect(branch({ type: 'a', options: { n: 'x' } })).toEqual({
      path: ['options', 'n'],
      reason: 'must be a number, not "x"',
    });
    expect(branch({ type: 'b', options: {} })).toEqual({
      path: ['type'],
      reason: 'must be one of a, not "b"',
    });
  });
});
