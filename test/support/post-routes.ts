import { ROUTES } from '../../src/http/routes/index.ts';
import { CLASSIFIER_NAME, EMBEDDER, RERANKER_NAME } from './score-server.ts';

/** A route that takes texts, with a body that it answers. */
export interface PostRoute {
  readonly path: string;
  /** Names a model of {@link startScoreServer}. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The field that holds the texts. */
  readonly field: string;
  /** All fields that the route knows. */
  readonly fields: readonly string[];
}

/** Bodies by the path of a route or of its first name. */
const BODIES: Readonly<Record<string, PostRoute['body']>> = {
  '/v3/embeddings': { model: EMBEDDER, input: 'x' },
  '/v1/embeddings': { model: EMBEDDER, input: 'x' },
  '/embed': { model: EMBEDDER, inputs: 'x' },
  '/embed_all': { model: EMBEDDER, inputs: 'x' },
  '/rerank': { model: RERANKER_NAME, query: 'q', texts: ['x'] },
  '/v3/rerank': { model: RERANKER_NAME, query: 'q', documents: ['x'] },
  '/predict': { model: CLASSIFIER_NAME, inputs: 'x' },
  '/classify': { model: CLASSIFIER_NAME, input: 'x' },
  '/v3/tokenize': { model: EMBEDDER, text: 'x' },
};

const TEXT_FIELDS = ['input', 'inputs', 'texts', 'documents', 'text'];

/** Every path that takes texts, of the table of routes. */
export const POST_ROUTES: readonly PostRoute[] = ROUTES.flatMap(({ paths, operations }) => {
  const [first = ''] = paths;
  const schema = operations[0]?.body as { readonly properties: object } | undefined;
  if (schema === undefined) return [];
  const body = BODIES[first];
  if (body === undefined) throw new Error(`There is no body for ${first}`);
  const field = TEXT_FIELDS.find((name) => name in body) ?? '';
  return paths.map((path) => ({ path, body, field, fields: Object.keys(schema.properties) }));
});
