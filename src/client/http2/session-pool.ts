import { connect, type ClientHttp2Session } from 'node:http2';
import { dial, dialTunnel, type Dialled } from '../sockets/dial.ts';
import type { Route } from '../sockets/route.ts';
import { PooledSession } from './pooled-session.ts';

/** Sessions kept for one origin. */
export const MAX_SESSIONS = 64;

/** Streams that a session gets before another one is opened. */
export const SPREAD_STREAMS = 8;

/** The HTTP/2 sessions to one origin. */
export class SessionPool {
  readonly #origin: string;
  readonly #route: Route;
  readonly #sessions: PooledSession[] = [];
  #closed = false;

  constructor(origin: string, route: Route) {
    this.#origin = origin;
    this.#route = route;
  }

  /**
   * @returns Sessions that are open.
   */
  get size(): number {
    return this.#sessions.length;
  }

  /**
   * @returns Streams of each session.
   */
  get streams(): readonly number[] {
    return this.#sessions.map((session) => session.streams);
  }

  /**
   * The first session with room, a new one, or the one with the fewest streams.
   *
   * @returns Whether there was one.
   */
  take(): PooledSession {
    const roomy = this.#sessions.find((session) => session.streams < SPREAD_STREAMS);
    if (roomy) return roomy;
    if (this.#sessions.length < MAX_SESSIONS) return this.#add();
    return this.#sessions.reduce((one, other) => (other.streams < one.streams ? other : one));
  }

  /** Closes idle sessions now, and the others after their last stream. */
  close(): void {
    this.#closed = true;
    for (const session of [...this.#sessions]) session.closeWhenIdle();
  }

  #add(): PooledSession {
    const session = new PooledSession((one) => {
      const at = this.#sessions.indexOf(one);
      if (at >= 0) this.#sessions.splice(at, 1);
    });
    this.#sessions.push(session);
    if (this.#closed) session.closeWhenIdle();
    const { proxy } = this.#route;
    if (!proxy) {
      session.adopt(this.#connect(dial(this.#route, { protocol: 'h2' })));
      return session;
    }
    const tunnelling = dialTunnel(this.#route, proxy, { protocol: 'h2' });
    tunnelling.opened.then(
      (dialled) => {
        session.adopt(this.#connect(dialled));
      },
      (error: unknown) => {
        session.fail(error);
      },
    );
    return session;
  }

  #connect({ socket }: Dialled): ClientHttp2Session {
    return connect(this.#origin, {
      createConnection: () => socket,
      maxSessionMemory: 1024,
      settings: {
        enablePush: false,
        initialWindowSize: 2_097_152,
        maxFrameSize: 65_536,
        maxHeaderListSize: 16_384,
      },
    });
  }
}
