import type { Socket } from 'node:net';
import { textOf } from '../errors.ts';
import { dial, dialTunnel, type Dialled, type DialOptions } from '../sockets/dial.ts';
import type { Route } from '../sockets/route.ts';
import { TransportError, type AnswerSink, type Exchange } from '../transport.ts';
import { AnswerParser, type ParserSink } from './answer-parser.ts';
import type { Http1Head } from './response-head.ts';

/** A request as the connection takes it. */
export interface OutgoingRequest {
  readonly method: string;
  /** Head and body. */
  readonly bytes: Buffer;
  /** Whether it must not keep the process alive. */
  readonly background: boolean;
}

/** What a connection tells its pool. */
export interface ConnectionOwner {
  /** The connection is free; `keepAlive` is the server's header of that name. */
  readonly onIdle: (connection: Http1Connection, keepAlive: string | undefined) => void;
  readonly onClosed: (connection: Http1Connection) => void;
}

/** One connection to a server: a request at a time, no pipelining. */
export class Http1Connection implements ParserSink, Exchange {
  /** When the pool closes it, on the clock of `performance.now()`. */
  expiresMs = 0;
  readonly #owner: ConnectionOwner;
  #socket: Socket | null = null;
  #giveUp: (() => void) | null = null;
  #connected = false;
  #closed = false;
  #request: OutgoingRequest | null = null;
  #sink: AnswerSink | null = null;
  #parser: AnswerParser | null = null;
  #head: Http1Head | null = null;

  constructor(route: Route, owner: ConnectionOwner) {
    this.#owner = owner;
    const options: DialOptions = {
      protocol: 'http/1.1',
      onRead: (bytes) => {
        this.#read(bytes);
      },
    };
    if (route.proxy && route.tunnel) {
      const { opened, abort } = dialTunnel(route, route.proxy, options);
      this.#giveUp = abort;
      opened.then(
        (dialled) => {
          this.#adopt(dialled);
          if (dialled.readyEvent === 'connect') this.#onConnect();
          dialled.socket.resume();
        },
        (error: unknown) => {
          this.#fail(error);
        },
      );
    } else {
      this.#adopt(dial(route, options));
    }
  }

  /**
   * @returns Whether the socket is there.
   */
  get connected(): boolean {
    return this.#connected;
  }

  /**
   * Sends a request; the connection must be new or idle.
   *
   * @param request - What to send.
   * @param sink - Hears of the answer.
   * @returns The connection itself.
   */
  start(request: OutgoingRequest, sink: AnswerSink): Exchange {
    this.#request = request;
    this.#sink = sink;
    this.#head = null;
    this.#parser = new AnswerParser(request.method, this);
    if (request.background) this.#socket?.unref();
    else this.#socket?.ref();
    if (this.#connected) this.#socket?.write(request.bytes);
    return this;
  }

  /** Gives the open request up: its connection can't be used again. */
  readonly abort = (): void => {
    this.destroy();
  };

  /** Closes the socket; an open request hears nothing more. */
  destroy(): void {
    this.#sink = null;
    this.#parser = null;
    this.#close();
  }

  readonly onHead = (head: Http1Head): void => {
    this.#head = head;
    const length = head.framing.kind === 'length' ? head.framing.length : null;
    this.#sink?.onHead({ status: head.status, headers: head.headers, length });
  };

  readonly onBody = (chunk: Uint8Array): void => {
    this.#sink?.onBody(chunk);
  };

  readonly onEnd = (rest: number): void => {
    const sink = this.#sink;
    if (!sink) return;
    this.#sink = null;
    this.#parser = null;
    const reusable = this.#head?.keepAlive === true && rest === 0;
    // An answer before the end of the upload: what is left of it must not meet the next request.
    if (!reusable || this.#socket?.writableLength !== 0) this.#close();
    else {
      this.#socket.unref();
      this.#owner.onIdle(this, this.#head?.headers['keep-alive']);
    }
    sink.onEnd();
  };

  #adopt({ socket, direct, readyEvent }: Dialled): void {
    this.#socket = socket;
    this.#giveUp = null;
    if (this.#closed) {
      socket.destroy();
      return;
    }
    if (this.#request?.background) socket.unref();
    socket.on('error', (error) => {
      this.#fail(error);
    });
    socket.on('end', () => {
      this.#ended();
    });
    socket.on('close', () => {
      this.#ended();
    });
    if (!direct) {
      socket.on('data', (bytes: Buffer) => {
        this.#read(bytes);
      });
    }
    if (socket.connecting || readyEvent === 'secureConnect') {
      socket.once(readyEvent, () => {
        this.#onConnect();
      });
    }
  }

  #onConnect(): void {
    this.#connected = true;
    if (this.#request && this.#parser) this.#socket?.write(this.#request.bytes);
  }

  #read(bytes: Buffer): void {
    if (!this.#parser) {
      // Bytes that nobody asked for.
      this.#close();
      return;
    }
    try {
      this.#parser.push(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #ended(): void {
    if (this.#closed) return;
    if (this.#parser?.close()) return;
    this.#fail(new Error('connection closed before the answer was complete'));
  }

  #fail(cause: unknown): void {
    const sink = this.#sink;
    this.#sink = null;
    this.#parser = null;
    this.#close();
    if (!sink) return;
    const kind = this.#connected ? 'network' : 'connect';
    sink.onError(new TransportError(kind, textOf(cause), { cause }));
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#giveUp?.();
    this.#socket?.destroy();
    this.#owner.onClosed(this);
  }
}
