import { resolve } from 'node:path';
import { flagSource, withOverrides } from '../../../src/config/overrides.ts';
import { StartError } from '../../../src/errors.ts';

function source(values: unknown): Parameters<typeof withOverrides>[0] {
  return {
    values,
    baseOf: () => '/files',
    fault: (path, reason) => new StartError('config', `file: ${path.join('.')}: ${reason}`),
  };
}

describe('withOverrides()', () => {
  const flags = new Map([
    ['options.a', 'a'],
    ['options.session.b', 'b_flag'],
  ]);
  const where = { at: ['nodes', 0, 'options'], cwd: '/user', flags };
  const file = source({ nodes: [{ options: { a: 1, session: { b: 2, c: 3 } } }, 'other'] });
  const over = withOverrides(file, { a: 5, 'session.b': 6, 'fresh.x': 7, no: undefined }, where);

  test('puts values in, nested ones by a dot', () => {
    expect(over.values).toEqual({
      nodes: [{ options: { a: 5, session: { b: 6, c: 3 }, fresh: { x: 7 } } }, 'other'],
    });
    expect(file.values).toEqual({
      nodes: [{ options: { a: 1, session: { b: 2, c: 3 } } }, 'other'],
    });
  });

  test.each([
    [['nodes', 0, 'options', 'a'], '--a: r', '/user'],
    [['nodes', 0, 'options', 'session', 'b'], '--b_flag: r', '/user'],
    [['nodes', 0, 'options', 'a', 1, 'x'], '--a: [1].x: r', '/user'],
    [['nodes', 0, 'options', 'fresh', 'x'], 'options.fresh.x: r', '/user'],
    [['nodes', 0, 'options', 'session', 'c'], 'file: nodes.0.options.session.c: r', '/files'],
    [['nodes', 0, 'options', 'no'], 'file: nodes.0.options.no: r', '/files'],
    [['nodes', 1, 'options', 'a'], 'file: nodes.1.options.a: r', '/files'],
  ])('knows where %j is from', (path, message, base) => {
    expect(over.fault(path, 'r')).toMatchObject({ fault: 'config', message });
    expect(over.baseOf(path)).toBe(resolve(base));
  });

  test.each([[null], [undefined], [{}]])('makes the object in %j', (server) => {
    const made = withOverrides(source({ server }), { a: 1 }, { at: ['server'], cwd: '', flags });
    expect(made.values).toEqual({ server: { a: 1 } });
  });

  test.each([
    [5],
    ['text'],
    [[]],
    [{ nodes: 5 }],
    [{ nodes: {} }],
    [{ nodes: [] }],
    [{ nodes: [{ options: 'text' }] }],
    [{ nodes: [{ options: [1] }] }],
  ])('leaves %j to the schema', (values) => {
    expect(withOverrides(source(values), { a: 1 }, where).values).toEqual(values);
  });

  test('is no way into prototypes', () => {
    const { values } = withOverrides(
      source({}),
      { '__proto__.x': 1, 'constructor.y': 2 },
      { at: [], cwd: '', flags },
    );
    expect(Object.keys(values as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect((Object as unknown as Record<string, unknown>)['y']).toBeUndefined();
  });
});

describe('flagSource()', () => {
  const flags = new Map([
    ['name', 'model_name'],
    ['type', 'task'],
    ['options.models_path', 'model_path'],
    ['options.session.num_streams', 'num_streams'],
  ]);
  test.each([
    [['name'], '--model_name: r'],
    [['node', 'type'], '--task: r'],
    [['node', 'options', 'models_path'], '--model_path: r'],
    [['node', 'options', 'session', 'num_streams'], '--num_streams: r'],
    [['node', 'options', 'num_streams'], '--model_path: num_streams: r'],
    [['node', 'options', 'tokenizer', 'file'], '--model_path: tokenizer.file: r'],
    [['node', 'options'], '--model_path: r'],
  ])('names the flag of %j, or that of the model', (path, message) => {
    expect(flagSource({}, { cwd: '', flags }).fault(path, 'r').message).toBe(message);
  });

  test('starts paths from the folder of the user', () => {
    expect(flagSource({}, { cwd: '', flags }).baseOf([])).toBe(resolve('.'));
    expect(flagSource({}, { cwd: '/user', flags }).baseOf([])).toBe('/user');
  });
});
