import type { AdmittedBatch } from '../../limits/admit.ts';
import { admit } from '../../limits/admit.ts';
import type { NodeContext } from '../node-type.ts';
import type { EmbeddingsServable, RerankServable, ScoreOptions, ScoreResult } from '../servable.ts';
import { openEmbeddings } from './embeddings.ts';
import type { EmbeddingsOptions } from './embeddings.ts';
import { requireQueryFits } from './query.ts';
import { cosine } from './scores.ts';

/** Options of a reranker on an embeddings model. */
export type CosineOptions = Omit<EmbeddingsOptions, 'normalizeEmbeddings'>;

/**
 * Opens a reranker on an embeddings model: a document is the more relevant the smaller the angle is
 * between its embedding and that of the query.
 *
 * @param context - The node.
 * @returns A reranker. Its raw scores are cosines, from -1 to 1; else they are moved to 0 to 1.
 * @throws `StartError` `config`: as of an embeddings node.
 */
export async function openCosine(context: NodeContext<CosineOptions>): Promise<RerankServable> {
  const options = { ...context.options, normalizeEmbeddings: true };
  const { servable, model } = await openEmbeddings({ ...context, options });
  const { name, limits, tokenize, close } = servable;
  return {
    task: 'rerank',
    name,
    limits,
    facts: { fields: { scoring: 'cosine' }, output: { name: 'score', shape: [] } },
    tokenize,
    score: async (query, documents, asked) => {
      await requireQueryFits(model, query);
      return score(servable, { query, documents }, asked);
    },
    close,
  };
}

interface Ranked {
  readonly query: string;
  readonly documents: AdmittedBatch;
}

// Two calls, as the query has a field and a limit of its own; the engine puts them in one batch.
async function score(
  model: EmbeddingsServable,
  { query, documents }: Ranked,
  { raw, ...options }: ScoreOptions,
): Promise<ScoreResult> {
  const wanted = { ...options, output: 'pooled', normalize: true } as const;
  const [one, many] = await Promise.all([
    model.embed(admit({ inputs: [query], param: 'query' }, model.limits), {
      ...wanted,
      param: 'query',
      truncate: 'never',
    }),
    model.embed(documents, wanted),
  ]);
  const [embedding] = one.embeddings;
  const cosines = Float64Array.from(many.embeddings, ({ data }) =>
    cosine(data, embedding?.data ?? data),
  );
  return {
    scores: raw ? cosines : cosines.map((value) => (value + 1) / 2),
    promptTokens: one.promptTokens + many.promptTokens,
    timings: {
      tokenizeMs: Math.max(one.timings.tokenizeMs, many.timings.tokenizeMs),
      queueMs: Math.max(one.timings.queueMs, many.timings.queueMs),
      runMs: Math.max(one.timings.runMs, many.timings.runMs),
    },
  };
}
