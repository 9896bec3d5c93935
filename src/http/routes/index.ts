import type { Route } from '../route.ts';
import { embeddings } from './embeddings.ts';
import { live, ready } from './health.ts';
import { modelMetadata } from './model-metadata.ts';
import { models } from './models.ts';
import { serverMetadata } from './server-metadata.ts';

/** The routes of the server; app.ts mounts them. */
export const ROUTES: readonly Route[] = [
  embeddings,
  models,
  live,
  ready,
  serverMetadata,
  modelMetadata,
];
