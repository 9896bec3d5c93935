import { deepFreeze, resolveSettings } from '../../../src/config/resolve.ts';

const SCHEMA = {
  properties: {
    models_path: { format: 'path' },
    plain_file: {},
    s3_key: {},
    session: {
      properties: {
        num_streams: {},
        config_entries: { additionalProperties: { type: 'string' } },
      },
    },
    key_files: { items: { format: 'path' } },
    more_nodes: { items: { properties: { node_name: {} } } },
  },
};

describe('resolveSettings()', () => {
  test('makes keys camelCase and paths absolute', () => {
    const value = {
      models_path: '../m',
      plain_file: 'a_b',
      s3_key: null,
      session: { num_streams: 1 },
      key_files: ['k', '/abs'],
      more_nodes: [{ node_name: 'x_y' }],
    };
    const place = { path: ['options'], baseOf: () => '/base/graphs' };
    expect(resolveSettings(value, SCHEMA, place)).toEqual({
      modelsPath: '/base/m',
      plainFile: 'a_b',
      s3Key: null,
      session: { numStreams: 1 },
      keyFiles: ['/base/graphs/k', '/abs'],
      moreNodes: [{ nodeName: 'x_y' }],
    });
  });

  test('keeps free-form objects to the letter', () => {
    const entries: unknown = JSON.parse('{"a_b.c_d":"1","__proto__":"2","models_path":"../m"}');
    const value = { session: { config_entries: entries } };
    const settings = resolveSettings(value, SCHEMA, { path: [], baseOf: () => '/base' });
    expect(JSON.stringify(settings)).toBe(
      '{"session":{"configEntries":{"a_b.c_d":"1","__proto__":"2","models_path":"../m"}}}',
    );
  });

  test('asks for the base of each path by its keys in snake_case', () => {
    const asked: unknown[] = [];
    function baseOf(path: readonly unknown[]): string {
      asked.push(path);
      return '/base';
    }
    resolveSettings({ models_path: 'm', key_files: ['k'] }, SCHEMA, { path: ['o'], baseOf });
    expect(asked).toEqual([
      ['o', 'models_path'],
      ['o', 'key_files', 0],
    ]);
  });
});

describe('deepFreeze()', () => {
  test('freezes all the way down', () => {
    const value = deepFreeze({ a: [{ b: 1 }], f: () => 1, n: null });
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen(value.a)).toBe(true);
    expect(Object.isFrozen(value.a[0])).toBe(true);
  });
});
