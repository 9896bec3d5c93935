import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode, ServeError } from '../errors.ts';
import type { Timings } from '../graph/servable.ts';
import type { RequestScope } from '../scope.ts';
import type { Hold } from './byte-budget.ts';
import { requestIdOf } from './request-id.ts';
import type { Route } from './route.ts';

/** What serves exchanges. */
export interface ExchangeHost {
  /** Called once for each, when its answer is done or can't be given any more. */
  readonly onFinish: (exchange: Exchange) => void;
  /** Whether another request on the same connection would be refused. */
  readonly isClosing: () => boolean;
  /** A client that takes no byte of its answer for so long, in ms, is cut off. */
  readonly stallMs: number;
}

/** A request with its response, from the headers to the last byte. */
export class Exchange implements RequestScope {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  deadlineMs = Infinity;
  /** Null until a route is found. */
  route: Route | null = null;
  /** Name of the served model that the route has found; null until then. */
  model: string | null = null;
  /** Whether an answer is under way or done; there is never a second one. */
  isAnswered = false;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  isWaiting: boolean;
  /** Of the error answered, if it was one. */
  code: ErrorCode | null = null;
  /** On the clock of `performance.now()`. */
  readonly startedMs = performance.now();
  readonly #host: ExchangeHost;
  #answerHold: Hold | null = null;
  #isFinished = false;
  #reason: ServeError | null = null;
  #controller: AbortController | null = null;

  /**
   * Begins an exchange.
   *
   * @param request - Its headers have come.
   * @param response - Nothing is written yet.
   * @param host - Serves the request.
   */
  constructor(request: IncomingMessage, response: ServerResponse, host: ExchangeHost) {
    this.#host = host;
    this.request = request;
    this.response = response;
    this.id = requestIdOf(request.headers);
    this.isWaiting =
      request.headers.expect !== undefined &&
      request.httpVersion !== '1.0' &&
      /^100-continue$/i.test(request.headers.expect);
  }

  /**
   * Aborts when nobody waits for the answer any more.
   *
   * @returns Made on demand: most routes need none.
   */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /**
   * Tells the stages that work for this request to stop.
   *
   * @param reason - Why: the signal's reason.
   */
  abort(reason: ServeError): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }

  /**
   * Whether somebody still waits for the answer.
   *
   * @throws `ServeError`: the reason of {@link abort}.
   */
  throwIfAborted(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /**
   * Counts an answer against a budget, until it's written or can't be any more.
   *
   * @param hold - Of nothing yet.
   * @param bytes - About what the answer takes.
   * @throws `ServeError` `overloaded`.
   */
  holdAnswer(hold: Hold, bytes: number): void {
    hold.take(bytes);
    this.#answerHold = hold;
  }

  /** Cuts the connection when the client takes no byte of the answer for long: from now to its end. */
  cutOffIfStalled(): void {
    const { response } = this;
    response.setTimeout(this.#host.stallMs);
    // Before Node's own listener, which sets the time of idle connections.
    response.prependOnceListener('finish', () => response.setTimeout(0));
  }

  /**
   * Whether the connection ends with this answer.
   *
   * @returns True if the client or the server's end asks for it.
   */
  get isLast(): boolean {
    return !this.response.shouldKeepAlive || this.#host.isClosing();
  }

  /**
   * Writes status and headers: `Connection: close` too, if the server is closing.
   *
   * @param status - Of the answer.
   * @param headers - Get more.
   */
  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.isAnswered = true;
    if (this.isLast) headers.connection = 'close';
    this.response.writeHead(status, headers);
  }

  /** Says that the answer is done or can't be given any more. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#answerHold?.give();
    this.#host.onFinish(this);
  }

  /**
   * How long the request has been at work.
   *
   * @returns ms since its headers came.
   */
  elapsedMs(): number {
    return performance.now() - this.startedMs;
  }

  /**
   * The value of `Server-Timing`.
   *
   * @param timings - Of the stages, where there are any.
   * @returns ms of the stages, if given, and of everything so far.
   */
  serverTiming(timings: Timings | undefined): string {
    const total = `total;dur=${this.elapsedMs().toFixed(2)}`;
    if (timings === undefined) return total;
    const { tokenizeMs, queueMs, runMs } = timings;
    return `tokenize;dur=${tokenizeMs.toFixed(2)}, queue;dur=${queueMs.toFixed(2)}, inference;dur=${runMs.toFixed(2)}, ${total}`;
  }
}
