import { VECTORS_SCHEMA } from '../../protocol/answers.ts';
import { requireFewerDimensions } from '../../protocol/embeddings-call.ts';
import { EMBED_SCHEMA, parseEmbed, tensorsReply } from '../../protocol/infinity.ts';
import { embedHandler } from '../embed-handler.ts';
import type { Route } from '../route.ts';

/** Embeds texts: a bare list of vectors. */
export const embed: Route = {
  method: 'post',
  paths: ['/embed'],
  isInference: true,
  operations: [
    { summary: 'Embed texts: a vector for each', body: EMBED_SCHEMA, answer: VECTORS_SCHEMA },
  ],
  handle: embedHandler({
    output: 'pooled',
    parse: parseEmbed,
    check: requireFewerDimensions,
    reply: tensorsReply,
  }),
};
