import { OPENAI_LIST_SCHEMA } from '../../protocol/answers.ts';
import { requireFewerDimensions } from '../../protocol/embeddings-call.ts';
import {
  embeddingsReply,
  OPENAI_EMBEDDINGS_SCHEMA,
  parseOpenaiEmbeddings,
} from '../../protocol/openai.ts';
import { embedHandler } from '../embed-handler.ts';
import type { Route } from '../route.ts';

/** Embeds texts, in the shape of OpenAI. */
export const openaiEmbeddings: Route = {
  method: 'post',
  paths: ['/v1/embeddings', '/embeddings', '/v3/v1/embeddings'],
  isInference: true,
  operations: [
    {
      summary: 'Embed texts, as OpenAI and Infinity do',
      body: OPENAI_EMBEDDINGS_SCHEMA,
      answer: OPENAI_LIST_SCHEMA,
    },
  ],
  handle: embedHandler({
    output: 'pooled',
    parse: parseOpenaiEmbeddings,
    check: requireFewerDimensions,
    reply: embeddingsReply,
  }),
};
