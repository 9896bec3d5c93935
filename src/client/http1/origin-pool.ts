import type { Route } from '../sockets/route.ts';
import type { AnswerSink, Exchange } from '../transport.ts';
import { Http1Connection, type ConnectionOwner, type OutgoingRequest } from './connection.ts';

/** Idle connections kept for one origin. */
export const MAX_IDLE_CONNECTIONS = 512;

/** How long an idle connection is kept, in milliseconds. */
export const IDLE_MS = 30_000;

/** A server closes at its timeout: we must be sooner. */
const SERVER_TIMEOUT_MARGIN_MS = 1000;

/** The connections to one origin: as many as requests are open, and some idle ones. */
export class OriginPool implements ConnectionOwner {
  readonly #route: Route;
  /** Oldest first; taken from the end. */
  readonly #idle: Http1Connection[] = [];
  #open = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(route: Route) {
    this.#route = route;
  }

  /**
   * @returns The way its connections are made.
   */
  get route(): Route {
    return this.#route;
  }

  /**
   * @returns Connections that are open, idle ones included.
   */
  get open(): number {
    return this.#open;
  }

  /**
   * @returns Connections that wait for a request.
   */
  get idle(): number {
    return this.#idle.length;
  }

  /**
   * Sends over the newest idle connection, or a new one.
   *
   * @param request - What to send.
   * @param sink - Hears of the answer.
   * @returns The exchange, to watch or to give up.
   */
  send(request: OutgoingRequest, sink: AnswerSink): Exchange {
    const idle = this.#takeIdle();
    if (idle) return idle.start(request, sink);
    this.#open += 1;
    return new Http1Connection(this.#route, this).start(request, sink);
  }

  readonly onIdle = (connection: Http1Connection, keepAlive: string | undefined): void => {
    const ms = keepAlive === undefined ? IDLE_MS : idleMs(keepAlive);
    if (this.#closed || ms <= 0 || this.#idle.length >= MAX_IDLE_CONNECTIONS) {
      connection.destroy();
      return;
    }
    connection.expiresMs = performance.now() + ms;
    this.#idle.push(connection);
    if (this.#timer === null) this.#arm(ms);
  };

  readonly onClosed = (connection: Http1Connection): void => {
    this.#open -= 1;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  };

  /** Closes the idle connections now, and the others as they become idle. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const connection of [...this.#idle]) connection.destroy();
  }

  #takeIdle(): Http1Connection | undefined {
    const nowMs = performance.now();
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection || connection.expiresMs > nowMs) return connection;
      connection.destroy();
    }
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#closeExpired();
    }, ms);
    this.#timer.unref();
  }

  #closeExpired(): void {
    const nowMs = performance.now();
    for (const connection of this.#idle.filter(({ expiresMs }) => expiresMs <= nowMs)) {
      connection.destroy();
    }
    const next = Math.min(...this.#idle.map(({ expiresMs }) => expiresMs));
    if (this.#idle.length > 0) this.#arm(Math.max(next - nowMs, 1));
  }
}

// Milliseconds that a `Keep-Alive` header allows, at most our own time.
function idleMs(keepAlive: string): number {
  const seconds = /(?:^|[ ,])timeout=(\d+)/i.exec(keepAlive)?.[1];
  if (seconds === undefined) return IDLE_MS;
  return Math.min(IDLE_MS, Number(seconds) * 1000 - SERVER_TIMEOUT_MARGIN_MS);
}
