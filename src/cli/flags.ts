import type { FlagNames } from '../config/load.ts';
import { SERVER_SETTINGS } from '../config/schema.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import type { SchemaPart } from '../schema/wording.ts';
import type { Flag } from './flag.ts';

const TEXT = { type: 'string', minLength: 1 } as const;
const SWITCH = { type: 'boolean' } as const;

/** All flags, in the order of `--help`. */
export const FLAGS: readonly Flag[] = [
  {
    name: 'config_path',
    group: 'serve',
    value: 'FILE',
    schema: { ...TEXT, default: 'config.yaml' },
    help: 'Server settings and the list of models.',
  },
  { name: 'rest_port', group: 'serve', value: 'PORT', ...server('rest_port') },
  { name: 'rest_bind_address', group: 'serve', value: 'ADDRESS', ...server('rest_bind_address') },
  { name: 'queue_tokens', group: 'serve', value: 'N', ...server('queue_tokens') },
  { name: 'log_level', group: 'serve', value: 'LEVEL', ...server('log_level') },
  { name: 'metrics_enable', group: 'serve', value: 'true|false', ...server('metrics_enable') },
  { name: 'drain_delay_s', group: 'serve', value: 'SECONDS', ...server('drain_delay_s') },
  { name: 'grace_s', group: 'serve', value: 'SECONDS', ...server('grace_s') },
  { name: 'max_batch_size', group: 'limits', value: 'N', ...node('max_batch_size') },
  {
    name: 'task',
    group: 'model',
    value: 'TASK',
    schema: { enum: NODE_TYPES.map(({ type }) => type) },
    help: 'What the model is for; needs --model_name and --model_path.',
    model: 'type',
  },
  {
    name: 'model_name',
    group: 'model',
    value: 'NAME',
    schema: TEXT,
    help: 'What clients send as model.',
    model: 'name',
  },
  { name: 'model_path', group: 'model', value: 'DIR', ...node('models_path') },
  { name: 'model_file', group: 'model', value: 'FILE', ...node('model_file') },
  {
    name: 'pooling',
    group: 'model',
    value: 'POOLING',
    tasks: ['embeddings'],
    ...node('pooling'),
  },
  {
    name: 'normalize',
    group: 'model',
    value: 'true|false',
    tasks: ['embeddings'],
    ...node('normalize_embeddings'),
  },
  { name: 'truncate', group: 'model', value: 'true|false', ...node('truncate') },
  { name: 'max_length', group: 'model', value: 'TOKENS', ...node('max_length') },
  { name: 'num_streams', group: 'model', value: 'N', ...node('session.num_streams') },
  {
    name: 'graph_path',
    group: 'graph',
    value: 'FILE',
    schema: TEXT,
    help: 'The graph file to write, instead of serving; needs --task and --model_path.',
  },
  {
    name: 'overwrite',
    group: 'graph',
    value: '',
    schema: { ...SWITCH, default: false },
    help: 'Whether an existing graph file is replaced.',
  },
  {
    name: 'list_models',
    group: 'manage',
    value: '',
    schema: SWITCH,
    help: 'List the models of the config file and exit.',
  },
  {
    name: 'add_to_config',
    group: 'manage',
    value: '',
    schema: SWITCH,
    help: 'Add --model_name to the config file: with --graph_path, or with --task and --model_path, which write graphs/NAME.yaml.',
  },
  {
    name: 'remove_from_config',
    group: 'manage',
    value: '',
    schema: SWITCH,
    help: 'Remove --model_name from the config file; its graph file stays.',
  },
  {
    name: 'pull',
    group: 'manage',
    value: '',
    schema: SWITCH,
    help: 'Download --source_model with onnx/model.onnx, or what --model_file names, and write a graph for it.',
  },
  {
    name: 'source_model',
    group: 'manage',
    value: 'ORG/NAME',
    schema: TEXT,
    help: 'The model on the hub; with --pull.',
  },
  {
    name: 'model_repository_path',
    group: 'manage',
    value: 'DIR',
    schema: TEXT,
    help: 'The folder that gets ORG/NAME with the files of the model; with --pull.',
  },
  {
    name: 'version',
    group: 'general',
    value: '',
    schema: SWITCH,
    help: 'Print the version and exit.',
  },
  {
    name: 'help',
    group: 'general',
    value: '',
    schema: SWITCH,
    help: 'Print this text and exit.',
  },
];

/** All flags that give a setting, by the setting. */
export const FLAG_NAMES: FlagNames = new Map(
  FLAGS.flatMap(({ name, overrides, model }) => {
    const part = overrides?.part === 'node' ? 'options' : 'server';
    const setting = overrides === undefined ? model : `${part}.${overrides.key}`;
    return setting === undefined ? [] : [[setting, name] as const];
  }),
);

type Overriding = Required<Pick<Flag, 'schema' | 'help' | 'overrides'>>;

function server(key: keyof typeof SERVER_SETTINGS): Overriding {
  const schema = SERVER_SETTINGS[key];
  return { schema, help: schema.description, overrides: { part: 'server', key } };
}

// An option that some node type has.
function node(key: string): Overriding {
  const path = key.split('.').flatMap((name) => ['properties', name]);
  const [schema] = NODE_TYPES.map(({ optionsSchema }) => partAt(optionsSchema, path)).filter(
    (part) => part !== undefined,
  );
  if (schema === undefined) throw new Error(`no node type has an option ${key}`);
  return { schema, help: String(schema['description']), overrides: { part: 'node', key } };
}

function partAt(schema: object, path: readonly string[]): SchemaPart | undefined {
  let part: unknown = schema;
  for (const key of path) part = (part as SchemaPart | undefined)?.[key];
  return part as SchemaPart | undefined;
}
