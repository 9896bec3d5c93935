import type { OutputInfo } from '../../inference/session.ts';
import type { HeadSpec } from '../../inference/work.ts';
import type { AdmittedBatch } from '../../limits/admit.ts';
import { requireAnswerSize } from '../../limits/answer.ts';
import { cutEmbedding } from '../cut.ts';
import type { NodeContext, NodeType } from '../node-type.ts';
import { openModel } from '../open-model.ts';
import type { OpenModel } from '../open-model.ts';
import type { EmbeddingsServable, EmbedOptions, EmbedResult } from '../servable.ts';
import { tokenizeWith } from '../tokenize.ts';
import { MODEL_OPTION_PROPERTIES } from './options.ts';
import type { ModelOptions } from './options.ts';
import { warmUp } from './warm-up.ts';

/** Options of a node of type `embeddings`. */
export interface EmbeddingsOptions extends ModelOptions {
  /** Absent: as the model's 1_Pooling/config.json says. */
  readonly pooling?: 'CLS' | 'LAST' | 'MEAN';
  readonly normalizeEmbeddings: boolean;
}

const OPTIONS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['models_path'],
  properties: {
    ...MODEL_OPTION_PROPERTIES,
    pooling: {
      enum: ['CLS', 'LAST', 'MEAN'],
      description:
        'How token rows become one vector. Default: 1_Pooling/config.json, else CLS with a warning.',
    },
    normalize_embeddings: {
      type: 'boolean',
      default: true,
      description: 'Whether embeddings are scaled to length 1.',
    },
  },
} as const;

const POOLINGS = { CLS: 'cls', LAST: 'last', MEAN: 'mean' } as const;

/** Names of outputs that a model pools by itself. */
const POOLED_OUTPUT = 'sentence_embedding';

/** Names of outputs with a row for each token, by preference. */
const HIDDEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];

type PooledHead = HeadSpec & { readonly kind: 'pooled' };

/** What the model is asked for; one object each, since rows of one batch share it. */
interface Heads {
  readonly normalized: PooledHead;
  readonly raw: PooledHead;
  /** null: the model gives no token rows. */
  readonly tokens: HeadSpec | null;
  /** Size of a token row; null where the file doesn't say, and then it's that of an embedding. */
  readonly tokenDimensions: number | null;
}

function hiddenOutput(outputs: readonly OutputInfo[]): OutputInfo | undefined {
  const hidden = outputs.filter(({ kind }) => kind === 'hidden');
  const named = HIDDEN_OUTPUTS.map((name) => hidden.find((output) => output.name === name));
  return named.find(Boolean) ?? (hidden.length === 1 ? hidden[0] : undefined);
}

function poolingOf(
  { options, fault, warn, name }: NodeContext<EmbeddingsOptions>,
  { description }: OpenModel,
): PooledHead['pooling'] {
  const { pooling, unsupportedPooling, unsupportedModules } = description;
  if (unsupportedModules.length > 0) {
    throw fault(
      ['models_path'],
      `the model's modules.json asks for ${unsupportedModules.join(', ')} after the transformer, which cannot be served; export it with an output "${POOLED_OUTPUT}"`,
    );
  }
  if (options.pooling) return POOLINGS[options.pooling];
  if (unsupportedPooling !== null) {
    throw fault(
      ['pooling'],
      `the model's 1_Pooling/config.json asks for ${unsupportedPooling}, which cannot be served; one of CLS, LAST, MEAN may be set`,
    );
  }
  if (pooling === null) {
    warn(
      `model "${name}": no pooling is configured and the model has no 1_Pooling/config.json, so CLS is used`,
    );
  }
  return POOLINGS[pooling ?? 'CLS'];
}

function headsOf(context: NodeContext<EmbeddingsOptions>, model: OpenModel): Heads {
  const { outputs } = model.engine.info;
  const hidden = hiddenOutput(outputs);
  const pooled = outputs.find(({ name }) => name === POOLED_OUTPUT);
  const output = pooled ?? hidden;
  if (!output) {
    const found = outputs.map(({ name, kind }) => `"${name}" (rank ${kind === 'hidden' ? 3 : 2})`);
    throw context.fault(
      ['model_file'],
      `has no output that embeddings can be made of: it has ${found.join(', ')}, and "${POOLED_OUTPUT}" of rank 2 or one of ${HIDDEN_OUTPUTS.join(', ')} of rank 3 is needed`,
    );
  }
  const pooling = pooled ? 'none' : poolingOf(context, model);
  const head = { kind: 'pooled', output: output.name, pooling } as const;
  return {
    normalized: { ...head, normalize: true },
    raw: { ...head, normalize: false },
    tokens: hidden ? { kind: 'tokens', output: hidden.name } : null,
    tokenDimensions: hidden?.dimensions ?? null,
  };
}

/** What is wanted of the model: a head whose vectors have `size` numbers. */
interface Asked {
  readonly head: HeadSpec;
  readonly size: number;
  readonly options: EmbedOptions;
}

async function embed(
  model: OpenModel,
  batch: AdmittedBatch,
  { head, size, options }: Asked,
): Promise<EmbedResult> {
  const { rows, positions, promptTokens, tokenizeMs } = await model.toRows(batch, options);
  const { scope, param, dimensions = size } = options;
  if (head.kind === 'tokens') {
    requireAnswerSize({ tokens: promptTokens, dimensions: size, param });
  }
  const { tensors, queueMs, runMs } = await model.engine.infer(rows, { head, scope });
  const sized =
    head.kind === 'pooled' && dimensions < size
      ? tensors.map((tensor) => cutEmbedding(tensor, dimensions, head.normalize))
      : tensors;
  return {
    embeddings: positions.map((at) => sized[at] ?? { shape: [0, 0], data: new Float32Array() }),
    promptTokens,
    timings: { tokenizeMs, queueMs, runMs },
  };
}

/** A servable with what it's made of. */
export interface OpenEmbeddings {
  readonly servable: EmbeddingsServable;
  readonly model: OpenModel;
}

/**
 * Opens a node that embeds.
 *
 * @param context - The node.
 * @returns The servable, which closes the model.
 * @throws `StartError` `config`: names the option whose value can't be used.
 */
export async function openEmbeddings(
  context: NodeContext<EmbeddingsOptions>,
): Promise<OpenEmbeddings> {
  const { name, options } = context;
  const model = await openModel(context);
  try {
    const heads = headsOf(context, model);
    const { shape } = await warmUp(context, model, { head: heads.normalized });
    const [dimensions = 0] = shape;
    const servable: EmbeddingsServable = {
      task: 'embeddings',
      name,
      limits: model.limits,
      facts: { fields: { dimensions }, output: { name: 'embedding', shape } },
      dimensions,
      hasTokenRows: heads.tokens !== null,
      tokenize: tokenizeWith(model),
      embed: (batch, asked) => {
        const normalize = asked.normalize ?? options.normalizeEmbeddings;
        const pooled = normalize ? heads.normalized : heads.raw;
        const head = asked.output === 'tokens' ? (heads.tokens ?? pooled) : pooled;
        const size = head === heads.tokens ? (heads.tokenDimensions ?? dimensions) : dimensions;
        return embed(model, batch, { head, size, options: asked });
      },
      close: model.close,
    };
    return { servable, model };
  } catch (error) {
    await model.close();
    throw error;
  }
}

/** A node that makes a vector of each text, by a tokenizer and an ONNX session. */
export const EMBEDDINGS: NodeType<EmbeddingsOptions, EmbeddingsServable> = {
  type: 'embeddings',
  optionsSchema: OPTIONS_SCHEMA,
  open: async (context) => (await openEmbeddings(context)).servable,
};
