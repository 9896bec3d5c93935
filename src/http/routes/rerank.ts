import { admit } from '../../limits/admit.ts';
import {
  parseRerank,
  RERANK_LIST_SCHEMA,
  RERANK_SCHEMA,
  rerankReply,
  type DocumentsParam,
} from '../../protocol/rerank.ts';
import { RANKED_LIST_SCHEMA, RANKS_SCHEMA } from '../../protocol/score-answers.ts';
import type { Route, RouteContext, RouteReply } from '../route.ts';

async function handle(
  { body, scope, servable }: RouteContext,
  usual: DocumentsParam,
): Promise<RouteReply> {
  const call = parseRerank(body, usual);
  const model = servable('rerank', call.model);
  const documents = admit(call, model.limits);
  const result = await model.score(call.query, documents, { ...call.options, scope });
  return rerankReply(call, result, model.name);
}

/** Ranks documents by a query, in the shape of Baseten and of Text Embeddings Inference. */
export const rerank: Route = {
  method: 'post',
  paths: ['/rerank'],
  isInference: true,
  operations: [
    {
      summary:
        'Rank documents by a query: a bare list; `documents` instead of `texts` is answered as on /v3/rerank',
      body: RERANK_SCHEMA,
      answer: RANKS_SCHEMA,
    },
  ],
  handle: (context) => handle(context, 'texts'),
};

/** Ranks documents by a query, in the shape of Cohere, Jina and OVMS. */
export const rerankList: Route = {
  method: 'post',
  paths: ['/v3/rerank', '/v1/rerank', '/v2/rerank', '/v3/v1/rerank'],
  isInference: true,
  operations: [
    {
      summary:
        'Rank documents by a query; `texts` instead of `documents` is answered as on /rerank',
      body: RERANK_LIST_SCHEMA,
      answer: RANKED_LIST_SCHEMA,
    },
  ],
  handle: (context) => handle(context, 'documents'),
};
