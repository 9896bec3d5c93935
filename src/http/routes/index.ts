import type { Route } from '../route.ts';
import { classify } from './classify.ts';
import { config } from './config.ts';
import { docs } from './docs.ts';
import { embedAll } from './embed-all.ts';
import { embed } from './embed.ts';
import { embeddings } from './embeddings.ts';
import { live, ready } from './health.ts';
import { metrics } from './metrics.ts';
import { modelMetadata } from './model-metadata.ts';
import { models } from './models.ts';
import { openaiEmbeddings } from './openai-embeddings.ts';
import { openapi } from './openapi.ts';
import { predict } from './predict.ts';
import { rerank, rerankList } from './rerank.ts';
import { serverMetadata } from './server-metadata.ts';
import { tokenize } from './tokenize.ts';

/** The routes of the server; app.ts mounts them. */
export const ROUTES: readonly Route[] = [
  embeddings,
  openaiEmbeddings,
  embed,
  embedAll,
  rerank,
  rerankList,
  predict,
  classify,
  tokenize,
  models,
  live,
  ready,
  serverMetadata,
  modelMetadata,
  config,
  metrics,
  openapi,
  docs,
];
