import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { IDLE_MS } from '../http1/origin-pool.ts';

const WINDOW_BYTES = 2_097_152;

/** Waits for the session of a stream that is to be opened. */
interface Waiter {
  readonly onSession: (session: ClientHttp2Session) => void;
  readonly onError: (error: unknown) => void;
}

/** One HTTP/2 session, from before it is connected until it closes. */
export class PooledSession {
  /** Streams that are open or wait for the connection. */
  streams = 0;
  readonly #onClosed: (session: PooledSession) => void;
  #session: ClientHttp2Session | null = null;
  #connected = false;
  #draining = false;
  #gone = false;
  #error: unknown = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #waiting = new Set<Waiter>();

  constructor(onClosed: (session: PooledSession) => void) {
    this.#onClosed = onClosed;
  }

  /**
   * @returns Whether the connection is there.
   */
  get connected(): boolean {
    return this.#connected;
  }

  /**
   * @returns What broke the session, or `null`.
   */
  get error(): unknown {
    return this.#error;
  }

  /**
   * Takes the session that the pool has opened.
   *
   * @param session - An open HTTP/2 session.
   */
  adopt(session: ClientHttp2Session): void {
    this.#session = session;
    session.on('error', (error) => {
      this.fail(error);
    });
    session.on('goaway', () => {
      this.#leave();
    });
    session.on('close', () => {
      this.fail(new Error('connection closed before the answer was complete'));
    });
    session.once('connect', () => {
      session.setLocalWindowSize(WINDOW_BYTES);
      this.#connected = true;
      for (const waiter of this.#waiting) waiter.onSession(session);
      this.#waiting.clear();
    });
    if (this.#gone) session.destroy();
  }

  /**
   * The session is broken, or never came to be.
   *
   * @param error - Why it failed.
   */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#leave();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.onError(error);
    this.#session?.destroy();
  }

  /**
   * Opens a stream once there is a connection.
   *
   * @param waiter - Hears of the connection, or of its failure.
   */
  whenConnected(waiter: Waiter): void {
    this.streams += 1;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#session?.ref();
    if (this.#connected && this.#session) waiter.onSession(this.#session);
    else this.#waiting.add(waiter);
  }

  /**
   * Takes a waiter back.
   *
   * @param waiter - Hears of the connection, or of its failure.
   */
  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** A stream, or one that should have been, is over. */
  release(): void {
    this.streams -= 1;
    if (this.streams > 0) return;
    if (this.#draining || this.#gone) {
      this.#leave();
      this.#session?.close();
      return;
    }
    this.#session?.unref();
    this.#timer = setTimeout(() => {
      this.closeWhenIdle();
    }, IDLE_MS);
    this.#timer.unref();
  }

  /** Closes after the last stream. */
  closeWhenIdle(): void {
    this.#draining = true;
    if (this.streams > 0) return;
    this.#leave();
    if (this.#session?.destroyed === false) this.#session.close();
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#onClosed(this);
  }
}

/**
 * Opens a stream on a session.
 *
 * @param session - An open HTTP/2 session.
 * @param headers - Names in lower case.
 * @param hasBody - Whether bytes will follow the headers.
 * @returns The stream, with its headers sent.
 */
export function openStream(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  hasBody: boolean,
): ClientHttp2Stream {
  return session.request(headers, { endStream: !hasBody });
}
