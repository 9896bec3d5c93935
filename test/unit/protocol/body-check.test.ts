import { bodyCheck } from '../../../src/protocol/body-check.ts';
import { thrown } from '../../support/thrown.ts';

const check = bodyCheck(
  {
    type: 'object',
    required: ['name', 'texts'],
    properties: {
      name: { type: 'string', reason: 'must be a word' },
      texts: { type: 'array', items: { type: 'string' } },
      size: { type: 'integer', minimum: 1 },
    },
  },
  ['texts'],
);

describe('bodyCheck()', () => {
  test('accepts what fits, and fields that the schema does not name', () => {
    expect(() => {
      check(JSON.parse('{"name":"x","texts":[],"other":1,"__proto__":5,"constructor":null}'));
    }).not.toThrow();
  });

  test.each([
    ['name', {}, 'it is required and must be a word'],
    ['name', { name: 5, texts: [] }, 'it must be a word'],
    ['size', { name: 'x', texts: [], size: 0 }, 'it must be a whole number of at least 1, not 0'],
    ['', null, 'it must be an object'],
    ['', [], 'it must be an object'],
  ])('names %j in %j', (param, body, message) => {
    const error = thrown(() => {
      check(body);
    });
    expect(error).toMatchObject({ code: 'invalid_field', param });
    expect(String(error)).toContain(message);
  });

  test('leaves the texts to others', () => {
    for (const texts of [undefined, null, 5, [1], [[]]]) {
      expect(() => {
        check({ name: 'x', texts });
      }).not.toThrow();
    }
  });
});
