import type { Models } from '../../graph/servable.ts';
import { admit } from '../../limits/admit.ts';
import { TOKENS_SCHEMA } from '../../protocol/answers.ts';
import { parseTokenize, TOKENIZE_SCHEMA, tokenizeReply } from '../../protocol/tokenize.ts';
import type { Route } from '../route.ts';
import { readyServable } from '../servable.ts';

/** Gives the token ids of texts, of a model of any type. */
export const tokenize: Route = {
  method: 'post',
  paths: ['/v3/tokenize', '/tokenize'],
  isInference: true,
  operations: [{ summary: 'Tokenize texts', body: TOKENIZE_SCHEMA, answer: TOKENS_SCHEMA }],
  async handle({ body, models, servable }) {
    const call = parseTokenize(body);
    const { maxLength, addSpecialTokens, param } = call;
    const name = call.model ?? onlyName(models);
    const model = name === null ? servable('embeddings', null) : readyServable(models, name);
    admit(call, model.limits);
    const started = performance.now();
    const sequences = await model.tokenize(call.inputs, {
      addSpecialTokens,
      truncate: maxLength === null ? null : { maxTokens: maxLength, side: 'right' },
      param,
    });
    const tokens = tokenizeReply(
      call,
      sequences.map(({ ids }) => ids),
    );
    return {
      timings: { tokenizeMs: performance.now() - started, queueMs: 0, runMs: 0 },
      body: () => tokens,
    };
  },
};

// Without a name the only model is meant, of whatever type; or else the only one that embeds.
function onlyName(models: Models): string | null {
  const [only, ...others] = models.list();
  return others.length === 0 ? (only?.name ?? null) : null;
}
