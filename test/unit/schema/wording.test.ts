import { actual, expected } from '../../../src/schema/wording.ts';

describe('expected()', () => {
  test.each([
    [{ type: 'string' }, 'a string'],
    [{ type: 'string', minLength: 2 }, 'a string of at least 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'a string of at most 1 character'],
    [{ type: 'string', minLength: 1, maxLength: 8 }, 'a string of 1 to 8 characters'],
    [{ type: 'array' }, 'a list'],
    [{ type: 'array', minItems: 1 }, 'a non-empty list'],
    [{ type: 'number', maximum: 1 }, 'a number of at most 1'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'null' }, 'null'],
    [{ oneOf: [{ type: 'object' }, { const: 'auto' }] }, 'an object or auto'],
    [{ enum: ['a', 1, null] }, 'one of a, 1, null'],
    [{}, 'something else'],
  ])('%j is %j', (schema, words) => {
    expect(expected(schema)).toBe(words);
  });
});

describe('actual()', () => {
  test.each([
    ['a "b"', true, '"a \\"b\\""'],
    ['a', false, 'a string'],
    ['', false, 'an empty string'],
    [['a'], false, 'a list of 1 item'],
    [{}, false, 'an object'],
    [null, false, 'null'],
    [-0.5, false, '-0.5'],
  ])('%j, quoted: %j, is %j', (value, quote, words) => {
    expect(actual(value, quote)).toBe(words);
  });
});
