const JSON_SCHEMA = 'http://json-schema.org/draft-07/schema#';

/** Seconds in a day: a bound that keeps timers in the range that they have. */
const MAX_SECONDS = 86_400;

/** Server-wide settings: keys of `server:` in config.yaml, as properties of a JSON schema. */
export const SERVER_SETTINGS = {
  rest_bind_address: {
    type: 'string',
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for all of IPv4, :: for all.',
  },
  rest_port: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 8000,
    description: 'Port to listen on; 0 takes any free one.',
  },
  drain_delay_s: {
    type: 'number',
    minimum: 0,
    maximum: MAX_SECONDS,
    default: 0,
    description: 'Seconds after SIGTERM in which requests are still served, with readiness at 503.',
  },
  grace_s: {
    type: 'number',
    minimum: 0,
    maximum: MAX_SECONDS,
    default: 30,
    description: 'Seconds that requests in flight may take after that.',
  },
  queue_tokens: {
    type: 'integer',
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'Tokens that may wait for each model; beyond it requests get 429. Default: 2048 times the context length.',
  },
  log_level: {
    enum: ['TRACE', 'DEBUG', 'INFO', 'WARNING', 'ERROR'],
    default: 'INFO',
    description: 'Least level that is logged.',
  },
  metrics_enable: {
    type: 'boolean',
    default: true,
    description: 'Whether metrics are kept, and given at /metrics.',
  },
} as const;

/** Entries of `models:` in config.yaml, as properties of a JSON schema. */
export const MODEL_KEYS = {
  name: {
    type: 'string',
    minLength: 1,
    description: 'What clients send as model; any string, unique in the list.',
  },
  graph: {
    type: 'string',
    format: 'path',
    minLength: 1,
    description: 'The graph file of the model, relative to this file.',
  },
} as const;

/** A kind of node, as far as configuration knows it. */
export interface NodeTypeSchema {
  /** The value of `type:` in a graph file. */
  readonly type: string;
  /** JSON schema of `options:`. */
  readonly optionsSchema: object;
}

/** JSON schema of `server:` in config.yaml. */
export const SERVER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  default: {},
  description: 'Server-wide settings; every one has a default.',
  properties: SERVER_SETTINGS,
} as const;

/** JSON schema of config.yaml. */
export const CONFIG_SCHEMA = {
  $schema: JSON_SCHEMA,
  title: 'tensorgate config.yaml',
  description: 'Server-wide settings and the list of models.',
  type: 'object',
  additionalProperties: false,
  required: ['models'],
  properties: {
    server: SERVER_SCHEMA,
    models: {
      type: 'array',
      minItems: 1,
      description: 'The models that are served.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: Object.keys(MODEL_KEYS),
        properties: MODEL_KEYS,
      },
    },
  },
} as const;

function branch({ type, optionsSchema }: NodeTypeSchema): object {
  return {
    if: { required: ['type'], properties: { type: { const: type } } },
    then: { properties: { options: optionsSchema } },
  };
}

/**
 * The JSON schema of a node, where `type` decides which options there are.
 *
 * @param nodeTypes - The kinds of nodes that there are.
 * @returns A JSON schema.
 */
export function nodeSchema(nodeTypes: readonly NodeTypeSchema[]): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'options'],
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        default: 'node',
        description: 'A name for readers of the file; nothing depends on it.',
      },
      type: {
        enum: nodeTypes.map(({ type }) => type),
        description: 'What the model is for.',
      },
      options: { type: 'object', description: 'The model and how it runs.' },
    },
    allOf: nodeTypes.map(branch),
  };
}

/**
 * The JSON schema of graph files.
 *
 * @param nodeTypes - The kinds of nodes that there are.
 * @returns A JSON schema.
 */
export function graphSchema(nodeTypes: readonly NodeTypeSchema[]): object {
  return {
    $schema: JSON_SCHEMA,
    title: 'tensorgate graph file',
    description: 'How one model is served.',
    type: 'object',
    additionalProperties: false,
    required: ['nodes'],
    properties: {
      nodes: {
        type: 'array',
        minItems: 1,
        maxItems: 1,
        description: 'The node of the graph: exactly one.',
        items: nodeSchema(nodeTypes),
      },
    },
  };
}
