import type { Route } from '../route.ts';

/** The server's name and version, in the shape of KServe v2. */
export const serverMetadata: Route = {
  method: 'get',
  paths: ['/v2'],
  isInference: false,
  handle: ({ version }) => ({ body: () => ({ name: 'tensorgate', version, extensions: [] }) }),
};
