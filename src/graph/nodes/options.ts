import { DEFAULT_MAX_BATCH_SIZE, MAX_BATCH_SIZE_BOUND } from '../../limits/constants.ts';

/** How a session runs; the same for every node type. */
export interface SessionSettings {
  /** Workers; each has a copy of the weights. */
  readonly numStreams: number | 'auto';
  /** Threads of each worker. */
  readonly intraOpNumThreads: number | 'auto';
  /** Largest rows × longest row of a batch, in tokens. */
  readonly maxPaddedTokens: number;
  /** ONNX Runtime session configuration entries, by name. */
  readonly configEntries: Readonly<Record<string, string>>;
}

/** Options that every node type has. */
export interface ModelOptions {
  /** Absolute path of the model's folder. */
  readonly modelsPath: string;
  /** Relative to the folder, as is the tokenizer's file. */
  readonly modelFile: string;
  readonly tokenizer: { readonly file: string; readonly engine: 'tokenizers' | 'xenova' };
  readonly truncate: boolean;
  /** Tokens. */
  readonly maxLength?: number;
  readonly maxBatchSize: number;
  readonly session: SessionSettings;
}

const THREADS = { anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 1024 }] };

/** The properties of {@link ModelOptions}, as users write them, for a JSON Schema. */
export const MODEL_OPTION_PROPERTIES = {
  models_path: {
    type: 'string',
    format: 'path',
    minLength: 1,
    description: 'Folder of the model: config.json, tokenizer.json and the ONNX file.',
  },
  model_file: {
    type: 'string',
    minLength: 1,
    default: 'model.onnx',
    description: 'The ONNX file, relative to models_path.',
  },
  tokenizer: {
    type: 'object',
    additionalProperties: false,
    default: {},
    description: 'The tokenizer of the model.',
    properties: {
      file: {
        type: 'string',
        minLength: 1,
        default: 'tokenizer.json',
        description: 'The tokenizer file, relative to models_path.',
      },
      engine: {
        enum: ['tokenizers', 'xenova'],
        default: 'tokenizers',
        description:
          'tokenizers: the reference, native. xenova: pure JavaScript, with known deviations.',
      },
    },
  },
  max_length: {
    type: 'integer',
    minimum: 1,
    maximum: 2147483647,
    description: 'Context length in tokens, special tokens included. Default: as the model says.',
  },
  max_batch_size: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_BATCH_SIZE_BOUND,
    default: DEFAULT_MAX_BATCH_SIZE,
    description: 'Inputs of one request.',
  },
  truncate: {
    type: 'boolean',
    default: false,
    description: 'Whether inputs longer than the context length are cut instead of refused.',
  },
  session: {
    type: 'object',
    additionalProperties: false,
    default: {},
    description: 'How the ONNX session runs.',
    properties: {
      num_streams: {
        ...THREADS,
        reason: 'must be auto or a whole number from 1 to 1024',
        default: 'auto',
        description: 'Inference workers; each holds a copy of the weights.',
      },
      intra_op_num_threads: {
        ...THREADS,
        reason: 'must be auto or a whole number from 1 to 1024',
        default: 'auto',
        description: 'Threads of each worker.',
      },
      max_padded_tokens: {
        type: 'integer',
        minimum: 1,
        maximum: 1048576,
        default: 1024,
        description: 'Largest batch, in tokens with padding; a longer row runs alone.',
      },
      config_entries: {
        type: 'object',
        additionalProperties: { type: 'string' },
        default: {},
        description:
          'Session configuration entries of ONNX Runtime, such as session.set_denormal_as_zero.',
      },
    },
  },
} as const;
