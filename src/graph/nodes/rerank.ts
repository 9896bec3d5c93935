import type { Input } from '../../input.ts';
import { requirePairable } from '../../limits/paired.ts';
import type { NodeContext, NodeType } from '../node-type.ts';
import type { RerankServable } from '../servable.ts';
import { tokenizeWith } from '../tokenize.ts';
import { openCosine } from './cosine.ts';
import type { CosineOptions } from './cosine.ts';
import { openLogitsModel } from './logits-model.ts';
import { MODEL_OPTION_PROPERTIES } from './options.ts';
import { requireQueryFits } from './query.ts';
import { relevance, sigmoid } from './scores.ts';

/** Options of a node of type `rerank`. */
export interface RerankOptions extends CosineOptions {
  readonly scoring: 'logits' | 'cosine';
}

const OPTIONS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['models_path'],
  properties: {
    ...MODEL_OPTION_PROPERTIES,
    scoring: {
      enum: ['logits', 'cosine'],
      default: 'logits',
      description:
        'logits: of a model that reads query and document together. cosine: of the embeddings of both.',
    },
    pooling: {
      enum: ['CLS', 'LAST', 'MEAN'],
      description: 'With scoring cosine, as of an embeddings node.',
    },
  },
} as const;

/** Logits of a reranker: of a yes, or of a no and a yes. */
const MAX_LOGITS = 2;

const HINT = '; scoring: cosine makes a reranker of an embeddings model';

async function openLogits(context: NodeContext<RerankOptions>): Promise<RerankServable> {
  const { name, options, fault } = context;
  if (options.pooling !== undefined) {
    throw fault(['pooling'], 'is only for scoring: cosine');
  }
  const model = await openLogitsModel(context, { pairs: true, hint: HINT });
  if (model.size < 1 || model.size > MAX_LOGITS) {
    await model.close();
    throw fault(
      ['model_file'],
      `gives ${model.size} scores for a query and a document, and a reranker gives 1, or 2 of which the last says relevant; type: classify serves such a model`,
    );
  }
  const { limits } = model;
  return {
    task: 'rerank',
    name,
    limits,
    facts: { fields: { scoring: 'logits' }, output: { name: 'score', shape: [] } },
    tokenize: tokenizeWith(model),
    score: async (query, documents, asked) => {
      requirePairable({
        characters: query.length,
        documents: documents.length,
        contextLength: limits.contextLength,
      });
      await requireQueryFits(model, { first: query, second: '' });
      const pairs = documents.map((document) => ({ first: query, second: textOf(document) }));
      const { logits, promptTokens, timings } = await model.run(pairs, asked);
      const raw = Float64Array.from(logits, relevance);
      return { scores: asked.raw ? raw : raw.map(sigmoid), promptTokens, timings };
    },
    close: model.close,
  };
}

function textOf(input: Input): string {
  return typeof input === 'string' ? input : input.second;
}

/** A node that says how relevant documents are to a query. */
export const RERANK: NodeType<RerankOptions, RerankServable> = {
  type: 'rerank',
  optionsSchema: OPTIONS_SCHEMA,
  open: (context) =>
    context.options.scoring === 'cosine' ? openCosine(context) : openLogits(context),
};
