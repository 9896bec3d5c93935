import { requireOwnDimensions } from '../../protocol/embeddings-call.ts';
import { embeddingsReply, EMBEDDINGS_SCHEMA, parseEmbeddings } from '../../protocol/openai.ts';
import { OPENAI_LIST_SCHEMA } from '../../protocol/answers.ts';
import { embedHandler } from '../embed-handler.ts';
import type { Route } from '../route.ts';

/** Embeds texts, in the shape of OVMS. */
export const embeddings: Route = {
  method: 'post',
  paths: ['/v3/embeddings'],
  isInference: true,
  operations: [
    { summary: 'Embed texts, as OVMS does', body: EMBEDDINGS_SCHEMA, answer: OPENAI_LIST_SCHEMA },
  ],
  handle: embedHandler({
    output: 'pooled',
    parse: parseEmbeddings,
    check: requireOwnDimensions,
    reply: embeddingsReply,
  }),
};
