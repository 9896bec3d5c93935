import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router as createStack, type Request, type Response } from 'express';
import { ERRORS, ServeError } from '../errors.ts';
import type { Models } from '../graph/servable.ts';
import { CHANNELS } from '../ops/channels.ts';
import { answerCodings } from './answer-codings.ts';
import { ByteBudget, MAX_HELD_BODY_BYTES, MAX_UNWRITTEN_ANSWER_BYTES } from './byte-budget.ts';
import { replyError } from './error-reply.ts';
import { Exchange, type ExchangeHost } from './exchange.ts';
import { OpenExchanges } from './open-exchanges.ts';
import { requestEvent } from './request-event.ts';
import type { MetricsReader } from './route.ts';
import { pathOf, Router } from './router.ts';
import { ROUTES } from './routes/index.ts';
import { servableFinder } from './servable.ts';
import { serve, type Budgets, type Serving } from './serve.ts';
import { ANSWER_STALL_MS } from './timeouts.ts';
import { unreadiness, type Phase } from './unreadiness.ts';

/** What an app is made of. */
export interface AppOptions {
  readonly models: Models;
  readonly phase: () => Phase;
  /** All metrics, as they are now; null if they aren't kept. */
  readonly metrics: MetricsReader | null;
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  /** Gets every error that is answered with 500, whole. */
  readonly onInternalError: (error: unknown, requestId: string) => void;
  /** Of the built `http/zstd-worker.js`. */
  readonly zstdWorkerUrl: URL;
  /** Those of the contract, unless given. */
  readonly budgets?: Budgets;
  /** A client that takes no byte of its answer for so long, in ms, is cut off. */
  readonly stallMs?: number;
}

/** What {@link createApp} makes; `listen()` gives it a port. */
export interface App {
  /** For the server's events `request` and `checkContinue`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers with an error before the request was handled as such, as for `checkExpectation`. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, error: ServeError) => void;
  /** The exchange whose request a socket is in the middle of, or whose answer it waits for. */
  readonly exchangeOf: (socket: object) => Exchange | undefined;
  /** Of the options. */
  readonly stallMs: number;
  /** Requests in flight. */
  readonly openRequests: () => number;
  /** Resolves as soon as no request is in flight. */
  readonly idle: () => Promise<void>;
  /** Answers every request in flight with 503 `shutting_down`, and aborts the work for it. */
  readonly cutOff: () => void;
}

/**
 * Assembles the app: a request's way from its headers to the last byte of its answer.
 *
 * @param options - Models, phase, and who is told of what.
 * @returns The app, without a port.
 */
export function createApp(options: AppOptions): App {
  return new HttpApp(options);
}

/** What Express hands on to its middleware. */
type Answer = Response<unknown, { exchange: Exchange }>;

class HttpApp implements App, ExchangeHost {
  readonly #options: AppOptions;
  readonly stallMs: number;
  readonly #open = new OpenExchanges();
  readonly #bySocket = new WeakMap<object, Exchange>();
  // Not a whole Express application: that one gives every request and response another prototype, which
  // makes all that Node does with them slow: 80 µs of 105 for a small answer.
  readonly #stack = createStack();

  constructor(options: AppOptions) {
    const { models, metrics, phase, version } = options;
    const serving: Serving = {
      router: new Router(ROUTES),
      service: {
        models,
        metrics,
        version,
        routes: ROUTES,
        unreadiness: () => unreadiness(models, phase()),
        servable: servableFinder(models),
      },
      phase,
      codings: answerCodings(options.zstdWorkerUrl),
      budgets: options.budgets ?? {
        bodies: new ByteBudget(MAX_HELD_BODY_BYTES, 'the bodies'),
        answers: new ByteBudget(MAX_UNWRITTEN_ANSWER_BYTES, 'the unwritten answers'),
      },
    };
    this.#options = options;
    this.stallMs = options.stallMs ?? ANSWER_STALL_MS;
    this.#stack.use((_request: Request, { locals }: Answer) => serve(locals.exchange, serving));
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = this.#begin(request, response);
    // Express parses the target, too, and throws at some; a plain path is safe.
    request.url = pathOf(request.url ?? '');
    (response as Answer).locals = { exchange };
    // Rejections of the middleware end here, too: the one error handler.
    this.#stack(request as Request, response as Answer, (error: unknown) => {
      if (isFault(error)) this.#options.onInternalError(error, exchange.id);
      replyError(exchange, error);
    });
  };

  readonly refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    error: ServeError,
  ): void => {
    replyError(this.#begin(request, response), error);
  };

  readonly exchangeOf = (socket: object): Exchange | undefined => this.#bySocket.get(socket);

  readonly openRequests = (): number => this.#open.size;

  readonly idle = (): Promise<void> => this.#open.idle();

  readonly cutOff = (): void => {
    const reason = new ServeError(
      'shutting_down',
      'Cannot finish the request: the server is shutting down and its grace period is over',
    );
    for (const exchange of [...this.#open]) {
      replyError(exchange, reason);
      exchange.abort(reason);
    }
  };

  #begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const exchange = new Exchange(request, response, this);
    response.setHeader('x-request-id', exchange.id);
    this.#open.add(exchange);
    this.#bySocket.set(request.socket, exchange);
    if (response.socket === null) closeWithSocket(request, response);
    response.on('close', () => {
      if (!response.writableFinished) abandon(exchange);
      exchange.finish();
    });
    return exchange;
  }

  readonly isClosing = (): boolean => this.#options.phase() === 'closing';

  readonly onFinish = (exchange: Exchange): void => {
    this.#open.delete(exchange);
    if (CHANNELS.request.hasSubscribers) CHANNELS.request.publish(requestEvent(exchange));
  };
}

// A response that waits for others of its connection has no socket yet, and Node tells it of no end.
function closeWithSocket({ socket }: IncomingMessage, response: ServerResponse): void {
  function close(): void {
    if (response.socket !== null) return;
    response.destroy();
    response.emit('close');
  }
  socket.setMaxListeners(Infinity).once('close', close);
  response.once('close', () => socket.off('close', close));
}

// What is answered with 500, whatever it is: the operator must see its cause.
function isFault(error: unknown): boolean {
  return !(error instanceof ServeError) || ERRORS[error.code].status === 500;
}

function abandon(exchange: Exchange): void {
  exchange.code ??= 'client_closed';
  exchange.abort(new ServeError('client_closed', 'Cannot answer the request: the client is gone'));
}
