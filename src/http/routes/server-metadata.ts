import type { Route } from '../route.ts';

/** The server's name and version, in the shape of KServe v2. */
export const serverMetadata: Route = {
  method: 'get',
  paths: ['/v2'],
  isInference: false,
  operations: [
    {
      summary: 'Name and version of the server, as KServe v2 has them',
      answer: {
        type: 'object',
        required: ['name', 'version', 'extensions'],
        properties: {
          name: { const: 'tensorgate' },
          version: { type: 'string' },
          extensions: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  ],
  handle: ({ version }) => ({ body: () => ({ name: 'tensorgate', version, extensions: [] }) }),
};
