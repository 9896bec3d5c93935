import { ServeError } from '../errors.ts';
import { negotiate } from '../formats/negotiate.ts';
import { answer } from './answer.ts';
import { readBody, requireAnnouncedLength } from './body.ts';
import { decodersFor, type OpenDecoder } from './content-codings.ts';
import type { Exchange } from './exchange.ts';
import { parseJsonBody } from './json-body.ts';
import { requireJsonType } from './media-type.ts';
import type { Service } from './route.ts';
import type { Match, Router } from './router.ts';
import { send } from './send.ts';
import type { Phase } from './unreadiness.ts';

/** What all requests are served with. */
export interface Serving {
  readonly router: Router;
  readonly service: Service;
  readonly phase: () => Phase;
}

/**
 * Serves a request: checks on its headers alone, then the body, the route, and the answer.
 *
 * @param exchange - Its request's `url` is a path of `pathOf()`.
 * @param serving - Routes and models.
 * @returns When the answer is handed to the system.
 * @throws `ServeError` of the first check that fails, or of the route.
 */
export async function serve(
  exchange: Exchange,
  { router, service, phase }: Serving,
): Promise<void> {
  const { headers, method, url = '' } = exchange.request;
  requireHost(exchange);
  if (method === 'OPTIONS') {
    const allow = url === '*' ? 'GET, HEAD, POST' : router.allow(url);
    answer(exchange, { status: 204, headers: { allow } }, null);
    return;
  }
  const { route, rest } = match(exchange, router);
  exchange.route = route;
  const isPost = route.method === 'post';
  const decoders = isPost ? checkedCodings(exchange) : [];
  if (phase() === 'closing') {
    throw new ServeError('shutting_down', 'Cannot take new requests: the server is shutting down');
  }
  const body = isPost ? parseJsonBody(await read(exchange, decoders)) : null;
  const reply = await route.handle({ ...service, body, scope: exchange, rest });
  await send(exchange, reply, negotiate(route.isInference ? headers.accept : undefined));
}

// RFC 9112 asks for it; Node's own answer would have no body.
function requireHost({ request: { headers, httpVersion } }: Exchange): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ServeError('bad_request', 'Cannot read the request: it has no Host header');
  }
}

function match({ request, response }: Exchange, router: Router): Match {
  const { method = '', url = '' } = request;
  try {
    return router.match(method, url);
  } catch (error) {
    if (error instanceof ServeError && error.code === 'method_not_allowed') {
      response.setHeader('allow', router.allow(url));
    }
    throw error;
  }
}

function checkedCodings({ request: { headers } }: Exchange): readonly OpenDecoder[] {
  requireJsonType(headers['content-type']);
  return decodersFor(headers['content-encoding']);
}

function read(exchange: Exchange, decoders: readonly OpenDecoder[]): Promise<Buffer> {
  requireAnnouncedLength(exchange.request);
  if (exchange.isWaiting) {
    exchange.isWaiting = false;
    exchange.response.writeContinue();
  }
  return readBody(exchange.request, decoders);
}
