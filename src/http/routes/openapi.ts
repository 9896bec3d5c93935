import { openapiDocument } from '../openapi.ts';
import type { Route } from '../route.ts';

// Written once for a table of routes: it's about 90 kB, and anyone may ask for it.
const documents = new WeakMap<readonly Route[], Buffer>();

/** The routes as an OpenAPI 3.1 document. */
export const openapi: Route = {
  method: 'get',
  paths: ['/openapi.json'],
  isInference: false,
  operations: [{ summary: 'This document', answer: { type: 'object' } }],
  handle({ routes, version }) {
    const bytes =
      documents.get(routes) ?? Buffer.from(JSON.stringify(openapiDocument(routes, { version })));
    documents.set(routes, bytes);
    return { headers: { 'content-type': 'application/json' }, bytes };
  },
};
