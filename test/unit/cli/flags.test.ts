import { FLAG_NAMES, FLAGS } from '../../../src/cli/flags.ts';
import { SERVER_SETTINGS } from '../../../src/config/schema.ts';

describe('FLAGS', () => {
  test('names each flag once, in snake_case', () => {
    const names = FLAGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });

  test('has a flag for every server setting', () => {
    const keys = FLAGS.filter(({ overrides }) => overrides?.part === 'server').map(
      ({ overrides }) => overrides?.key,
    );
    expect(keys.sort()).toEqual(Object.keys(SERVER_SETTINGS).sort());
  });

  test('takes values and defaults of options from their schema', () => {
    const flag = FLAGS.find(({ name }) => name === 'num_streams');
    expect(flag?.overrides).toEqual({ part: 'node', key: 'session.num_streams' });
    expect(flag?.schema).toMatchObject({ default: 'auto' });
  });

  test('are the names of settings', () => {
    expect(Object.fromEntries(FLAG_NAMES)).toMatchObject({
      name: 'model_name',
      type: 'task',
      'options.models_path': 'model_path',
      'options.normalize_embeddings': 'normalize',
      'options.session.num_streams': 'num_streams',
      'server.rest_port': 'rest_port',
    });
    expect(FLAG_NAMES.size).toBe(
      FLAGS.filter(({ overrides, model }) => overrides !== undefined || model !== undefined).length,
    );
  });

  test('ends every help text like a sentence', () => {
    expect(FLAGS.filter(({ help }) => !help.endsWith('.'))).toEqual([]);
  });
});
