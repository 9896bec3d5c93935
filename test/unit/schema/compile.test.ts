import { compileSchema } from '../../../src/schema/compile.ts';

describe('compileSchema() for bodies', () => {
  const reason = 'must be a string or a non-empty array of strings';
  const check = compileSchema({
    type: 'object',
    required: ['input'],
    properties: {
      input: {
        reason,
        anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }],
      },
      model: { type: ['string', 'null'] },
      encoding_format: { enum: ['float', 'base64', null] },
      reason: { type: 'string' },
      texts: { type: 'array', items: { type: 'string', minLength: 1 } },
      documents: {
        type: 'array',
        items: { reason: 'must be a string or {text}', anyOf: [{ type: 'string' }] },
      },
      version: { const: 2 },
    },
  });

  test.each([[1], [null], [[]], [[1, 2]], [['a', null]], [[['a']]], [{ text: 'a' }]])(
    'says what is allowed instead of %j',
    (input) => {
      expect(check({ input })).toEqual({ path: ['input'], reason });
    },
  );

  test('says what is allowed of a field that is missing', () => {
    expect(check({})).toEqual({ path: ['input'], reason: `is required and ${reason}` });
  });

  test('cuts the path where the reason stands', () => {
    expect(check({ input: 'a', documents: ['a', { text: 5 }] })).toEqual({
      path: ['documents', 1],
      reason: 'must be a string or {text}',
    });
  });

  test('does not quote strings, unless one of a list was expected', () => {
    expect(check({ input: 'a', texts: 'private' })?.reason).toBe('must be a list, not a string');
    expect(check({ input: 'a', texts: [''] })?.reason).toBe(
      'must be a non-empty string, not an empty string',
    );
    expect(check({ input: 'a', version: 'two' })?.reason).toBe('must be 2, not "two"');
    expect(check({ input: 'a', encoding_format: 'x'.repeat(41) })?.reason).toBe(
      `must be one of float, base64, null, not "${'x'.repeat(40)}…"`,
    );
  });

  test('takes a property that is called like the keyword', () => {
    expect(check({ input: 'a', reason: 1 })).toEqual({
      path: ['reason'],
      reason: 'must be a string, not 1',
    });
  });

  test('names all types of a list of types', () => {
    expect(check({ input: 'a', model: 1 })?.reason).toBe('must be a string or null, not 1');
  });

  test('neither refuses nor spreads keys of prototypes', () => {
    const body: unknown = JSON.parse(
      '{"input":"a","__proto__":{"x":1},"constructor":{"a":1},"toString":2}',
    );
    expect(check(body)).toBeNull();
    expect(Object.keys(body as object)).toEqual(['input', '__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('does not find a required field on the prototype', () => {
    const named = compileSchema({ type: 'object', required: ['constructor'] });
    expect(named({})).toEqual({ path: ['constructor'], reason: 'is required' });
    expect(named(JSON.parse('{"constructor":1}'))).toBeNull();
  });

  test('refuses __proto__ where only known keys are allowed', () => {
    const strict = compileSchema({ type: 'object', additionalProperties: false });
    expect(strict(JSON.parse('{"__proto__":{}}'))).toEqual({
      path: ['__proto__'],
      reason: 'unknown key; allowed: ',
    });
  });

  test('hands on what Ajv says of other keywords', () => {
    const strict = compileSchema({ type: 'string', pattern: '^a' });
    expect(strict('b')).toEqual({ path: [], reason: 'must match pattern "^a"' });
  });

  test('takes a reason for the whole', () => {
    const strict = compileSchema({ type: 'object', reason: 'must be a JSON object' });
    expect(strict([])).toEqual({ path: [], reason: 'must be a JSON object' });
  });

  test('leaves the value as it is', () => {
    const strict = compileSchema({ type: 'object', properties: { a: { default: 1 } } });
    const value = {};
    expect(strict(value)).toBeNull();
    expect(value).toEqual({});
  });

  test('refuses a schema with a misspelled keyword', () => {
    expect(() => compileSchema({ type: 'object', propertys: {} })).toThrow('propertys');
  });
});
