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
  { name: 'log_level', group: 'serve', value: 'LEVEL', ...server('log_level') },
  { name: 'drain_delay_s', group: 'serve', value: 'SECONDS', ...server('drain_delay_s') },
  { name: 'grace_s', group: 'serve', value: 'SECONDS', ...server('grace_s') },
  { name: 'max_batch_size', group: 'limits', value: 'N', ...node('max_batch_size') },
  {
    name: 'task',
    group: 'model',
    value: 'TASK',
    schema: { enum: NODE_TYPES.map(({ type }) => type) },
    help: 'What the model is for; needs --model_name and --model_path.',
  },
  {
    name: 'model_name',
    group: 'model',
    value: 'NAME',
    schema: TEXT,
    help: 'What clients send as model.',
  },
  { name: 'model_path', group: 'model', value: 'DIR', ...node('models_path') },
  { name: 'pooling', group: 'model', value: 'POOLING', ...node('pooling') },
  { name: 'normalize', group: 'model', value: 'true|false', ...node('normalize_embeddings') },
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
