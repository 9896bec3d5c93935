import { ServeError } from '../errors.ts';
import { negotiate } from '../formats/negotiate.ts';
import type { ChooseCoding } from './answer-codings.ts';
import { answer } from './answer.ts';
import { announcedLength, readBody } from './body.ts';
import type { ByteBudget, Hold } from './byte-budget.ts';
import { decodersFor, type OpenDecoder } from './content-codings.ts';
import { keepDeadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';
import { parseJsonBody } from './json-body.ts';
import { requireJsonType } from './media-type.ts';
import type { FileReply, FindServable, RouteReply, Service } from './route.ts';
import type { Match, Router } from './router.ts';
import { send } from './send.ts';
import type { Phase } from './unreadiness.ts';

/** What all requests are served with. */
export interface Serving {
  readonly router: Router;
  readonly service: Service;
  readonly phase: () => Phase;
  readonly codings: ChooseCoding;
  readonly budgets: Budgets;
}

/** Memory that all requests of a server share. */
export interface Budgets {
  /** Of request bodies, until their routes are done with them. */
  readonly bodies: ByteBudget;
  /** Of answers, until they are written. */
  readonly answers: ByteBudget;
}

/**
 * Serves a request: checks on its headers alone, then the body, the route, and the answer.
 *
 * @param exchange - Its request's `url` is a path of `pathOf()`.
 * @param serving - Routes and models.
 * @returns When the answer is handed to the system.
 * @throws `ServeError` of the first check that fails, or of the route.
 */
export async function serve(exchange: Exchange, serving: Serving): Promise<void> {
  const { router, phase } = serving;
  const { headers, method, url = '' } = exchange.request;
  requireHost(exchange);
  if (method === 'OPTIONS') {
    const allow = url === '*' ? 'GET, HEAD, POST' : router.allow(url);
    answer(exchange, { status: 204, headers: { allow } }, null);
    return;
  }
  const { route, rest } = match(exchange, router);
  exchange.route = route;
  const decoders = route.method === 'post' ? checkedCodings(exchange) : null;
  if (phase() === 'closing') {
    throw new ServeError('shutting_down', 'Cannot take new requests: the server is shutting down');
  }
  keepDeadline(exchange);
  const reply =
    decoders === null
      ? await handle(exchange, { route, rest, body: null }, serving)
      : await handleBody(exchange, { route, rest, decoders }, serving);
  if ('bytes' in reply) {
    sendFile(exchange, reply);
    return;
  }
  const { wire, mediaType } = negotiate(route.isInference ? headers.accept : undefined);
  await send(exchange, reply, {
    wire,
    mediaType,
    coding: serving.codings(headers['accept-encoding']),
    budget: serving.budgets.answers,
  });
}

async function handleBody(
  exchange: Exchange,
  { route, rest, decoders }: Match & { readonly decoders: readonly OpenDecoder[] },
  serving: Serving,
): Promise<RouteReply> {
  const hold = serving.budgets.bodies.hold();
  try {
    const body = parseJsonBody(await read(exchange, decoders, hold));
    exchange.throwIfAborted();
    return await handle(exchange, { route, rest, body }, serving);
  } finally {
    hold.give();
  }
}

function handle(
  exchange: Exchange,
  { route, rest, body }: Match & { readonly body: object | null },
  { service }: Serving,
): Promise<RouteReply> | RouteReply {
  // Field by field: to spread the service costs more than all else here.
  const { models, metrics, version, routes, unreadiness } = service;
  return route.handle({
    models,
    metrics,
    version,
    routes,
    unreadiness,
    servable: namedFinder(exchange, service.servable),
    body,
    scope: exchange,
    rest,
  });
}

// Tells the exchange which model its route has found.
function namedFinder(exchange: Exchange, find: FindServable): FindServable {
  return (task, name) => {
    const found = find(task, name);
    exchange.model = found.name;
    return found;
  };
}

function sendFile(exchange: Exchange, { headers, bytes }: FileReply): void {
  if (!exchange.isAnswered) answer(exchange, { status: 200, headers: { ...headers } }, bytes);
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

function read(exchange: Exchange, decoders: readonly OpenDecoder[], hold: Hold): Promise<Buffer> {
  hold.take(announcedLength(exchange.request));
  if (exchange.isWaiting) {
    exchange.isWaiting = false;
    exchange.response.writeContinue();
  }
  return readBody(exchange, decoders, hold);
}
