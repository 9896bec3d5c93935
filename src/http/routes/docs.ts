import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ServeError } from '../../errors.ts';
import type { FileReply, Route } from '../route.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>tensorgate: HTTP API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <noscript>This page needs JavaScript; what it shows is <a href="/openapi.json">/openapi.json</a>.</noscript>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

// No validatorUrl: the default one is an external host.
const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });
`;

/** Nothing from other hosts, nothing inline, in no frame. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const { resolve: pathOf } = createRequire(import.meta.url);

// What is at the paths below /docs.
const FILES: ReadonlyMap<string, () => Promise<FileReply>> = new Map([
  ['', () => file('text/html', Buffer.from(PAGE))],
  ['page.js', () => file('text/javascript', Buffer.from(SCRIPT))],
  ['swagger-ui-bundle.js', () => asset('text/javascript', 'swagger-ui-bundle.js')],
  ['swagger-ui.css', () => asset('text/css', 'swagger-ui.css')],
]);

/** Files of the package, once they are read: slow clients share one copy. */
const assets = new Map<string, Promise<Buffer>>();

/** A page that shows /openapi.json, for browsers. */
export const docs: Route = {
  method: 'get',
  paths: ['/docs/*'],
  isInference: false,
  operations: [
    { suffix: '', summary: 'This document as a page', answer: 'text/html' },
    {
      suffix: '/{file}',
      summary: 'A file of that page',
      answer: 'text/javascript',
      errors: ['not_found'],
    },
  ],
  handle({ rest }) {
    const open = FILES.get(rest);
    if (open !== undefined) return open();
    throw new ServeError('not_found', 'Cannot find the file: /docs is the page that shows the API');
  },
};

async function file(
  mediaType: string,
  bytes: Uint8Array | Promise<Uint8Array>,
): Promise<FileReply> {
  return {
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'content-security-policy': SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    bytes: await bytes,
  };
}

function asset(mediaType: string, name: string): Promise<FileReply> {
  const known = assets.get(name);
  const bytes = known ?? readFile(pathOf(`swagger-ui-dist/${name}`));
  if (known === undefined) {
    assets.set(name, bytes);
    bytes.catch(() => assets.delete(name));
  }
  return file(mediaType, bytes);
}
