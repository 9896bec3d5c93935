import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createH2Server, type Http2Server } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the stub got it. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** `Date.now()` when the body was complete: the fake clock's, if there is one. */
  readonly atMs: number;
  /** Number of the connection, from 0. */
  readonly connection: number;
}

/** Answers a request; `number` counts from 0. */
export type Responder = (
  request: Recorded,
  response: ServerResponse,
  number: number,
) => void | Promise<void>;

/** A server that records what it gets and answers as a test says, over real sockets. */
export class RecordingStub {
  readonly requests: Recorded[] = [];
  /** Requests whose connection or stream was closed before the answer ended. */
  aborted = 0;
  /** Connections that were ever opened. */
  connections = 0;
  readonly #server: Server | Http2Server;
  readonly #events = new EventEmitter();
  readonly #sockets = new Set<Socket>();
  readonly #respond: Responder;

  constructor(respond: Responder, httpVersion: 1 | 2) {
    this.#respond = respond;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#take(request, response);
    };
    this.#server =
      httpVersion === 2
        ? // The compatibility API has the members that the stub uses.
          createH2Server((request, response) => {
            listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
          })
        : createServer({ keepAliveTimeout: 65_000 }, listener);
    this.#events.setMaxListeners(0);
    this.#server.on('connection', (socket: Socket) => {
      Object.assign(socket, { stubNumber: this.connections });
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#events.emit('change');
      });
    });
  }

  static async open(
    respond: Responder = answerAnything,
    httpVersion: 1 | 2 = 1,
  ): Promise<RecordingStub> {
    const stub = new RecordingStub(respond, httpVersion);
    stub.#server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
    await once(stub.#server, 'listening');
    return stub;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Bodies of the requests, parsed. */
  get bodies(): unknown[] {
    return this.requests.map(({ body }) => JSON.parse(body) as unknown);
  }

  /** Resolves when a condition holds; looked at whenever something happens at the stub. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.#events, 'change');
  }

  /** Resolves when so many requests have come. */
  waitFor(count: number): Promise<void> {
    return this.until(() => this.requests.length >= count);
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => {
      if (!response.writableEnded) this.aborted += 1;
      this.#events.emit('change');
    });
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const socket = request.socket as Socket & { readonly stubNumber?: number };
    const recorded = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks).toString(),
      atMs: Date.now(),
      connection: socket.stubNumber ?? -1,
    };
    this.requests.push(recorded);
    this.#events.emit('change');
    await this.#respond(recorded, response, this.requests.length - 1);
  }
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.end(body);
}

/** The vector that the stub gives a text: its length, and the sum of its units. */
export function vectorOf(text: string): number[] {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return [text.length, sum / 64];
}

/** The body of an answer to an embeddings request. */
export function embeddingsOf(texts: readonly string[], model = 'm'): object {
  return {
    object: 'list',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
    model,
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  };
}

/** Answers what the client asks, on every route. */
export function answerAnything(request: Recorded, response: ServerResponse): void {
  const body = ((request.body === '' ? null : JSON.parse(request.body)) ?? {}) as {
    input?: string[];
    texts?: string[];
    inputs?: string[][];
  };
  if (body.input) sendJson(response, embeddingsOf(body.input));
  else if (request.path === '/rerank') {
    const scores = (body.texts ?? []).map((text, index) => ({ index, score: text.length / 8 }));
    sendJson(response, scores.reverse());
  } else if (request.path === '/predict') {
    const labels = (body.inputs ?? []).map(([text = '']) => [{ label: text, score: 0.5 }]);
    sendJson(response, labels);
  } else sendJson(response, { path: request.path, got: body });
}

/** Lets the event loop turn. */
export async function turns(count = 3): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
