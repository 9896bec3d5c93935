import { admit } from '../../limits/admit.ts';
import { embeddingsReply, parseEmbeddings, requireOwnDimensions } from '../../protocol/openai.ts';
import type { Route } from '../route.ts';

/** Embeds texts, in the shape of OVMS and OpenAI. */
export const embeddings: Route = {
  method: 'post',
  paths: ['/v3/embeddings'],
  isInference: true,
  async handle({ body, scope, servable }) {
    const call = parseEmbeddings(body);
    const model = servable('embeddings', call.model);
    requireOwnDimensions(call, model);
    const batch = admit(call, model.limits);
    const result = await model.embed(batch, { output: 'pooled', param: call.param, scope });
    return embeddingsReply(call, result, model.name);
  },
};
