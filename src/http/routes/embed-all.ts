import { MATRICES_SCHEMA } from '../../protocol/answers.ts';
import { requireTokenRows } from '../../protocol/embeddings-call.ts';
import { EMBED_ALL_SCHEMA, parseEmbedAll, tensorsReply } from '../../protocol/infinity.ts';
import { embedHandler } from '../embed-handler.ts';
import type { Route } from '../route.ts';

/** Embeds the tokens of texts: a bare list of matrices. */
export const embedAll: Route = {
  method: 'post',
  paths: ['/embed_all'],
  isInference: true,
  operations: [
    {
      summary: 'Embed texts: a vector for each token of each',
      body: EMBED_ALL_SCHEMA,
      answer: MATRICES_SCHEMA,
      errors: ['answer_too_large'],
    },
  ],
  handle: embedHandler({
    output: 'tokens',
    parse: parseEmbedAll,
    check: requireTokenRows,
    reply: tensorsReply,
  }),
};
