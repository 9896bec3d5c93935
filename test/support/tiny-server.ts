import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createApp, type App, type AppOptions } from '../../src/http/app.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { listen, type Listener } from '../../src/http/listen.ts';
import { CONNECTION_TIMES, type ConnectionTimes } from '../../src/http/timeouts.ts';
import type { Phase } from '../../src/http/unreadiness.ts';
import type {
  EmbeddingsServable,
  EmbedOptions,
  EmbedResult,
  Models,
  ModelStatus,
  Servable,
} from '../../src/graph/servable.ts';
import type { AdmittedBatch } from '../../src/limits/admit.ts';
import { CHANNELS, type RequestEvent } from '../../src/ops/channels.ts';
import type { Float32Tensor } from '../../src/tensor.ts';
import { RawConnection, type RawResponse } from './raw-connection.ts';

/** Numbers of a tiny embedding. */
export const TINY_DIMENSIONS = 4;

/** The embedding that the tiny model gives a text. */
export function tinyEmbedding(text: string): Float32Array {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return Float32Array.from({ length: TINY_DIMENSIONS }, (_, at) => Math.sin(sum + at) / 3);
}

/** The token rows that the tiny model gives a text: one for each character. */
export function tinyMatrix(text: string): Float32Tensor {
  const rows = Array.from(text, (character) => [...tinyEmbedding(character)]);
  return { shape: [rows.length, TINY_DIMENSIONS], data: Float32Array.from(rows.flat()) };
}

/** A model that computes its vectors from the characters of a text, with a token for each. */
export class TinyServable implements EmbeddingsServable {
  readonly task = 'embeddings';
  readonly name: string;
  readonly dimensions = TINY_DIMENSIONS;
  readonly hasTokenRows: boolean;
  readonly facts = {
    fields: { dimensions: TINY_DIMENSIONS },
    output: { name: 'embedding', shape: [TINY_DIMENSIONS] },
  };
  readonly limits;
  /** Calls, in order. */
  readonly calls: { readonly inputs: number; readonly options: EmbedOptions }[] = [];
  /** What a call waits for before it answers. */
  until: Promise<unknown> = Promise.resolve();
  readonly #embed: (text: string) => Float32Array;

  constructor({
    name = 'org/tiny',
    maxBatchSize = 1024,
    contextLength = 512,
    hasTokenRows = true,
    embed = tinyEmbedding,
  } = {}) {
    this.name = name;
    this.hasTokenRows = hasTokenRows;
    this.limits = { maxBatchSize, contextLength };
    this.#embed = embed;
  }

  readonly tokenize: EmbeddingsServable['tokenize'] = (texts, { truncate }) =>
    Promise.resolve(
      texts.map((text) => ({
        ids: Int32Array.from(text, (character) => character.codePointAt(0) ?? 0).slice(
          0,
          truncate?.maxTokens,
        ),
        typeIds: null,
      })),
    );

  readonly embed = async (batch: AdmittedBatch, options: EmbedOptions): Promise<EmbedResult> => {
    this.calls.push({ inputs: batch.length, options });
    await this.until;
    options.scope.signal.throwIfAborted();
    const embeddings = (batch as readonly string[]).map((text) =>
      options.output === 'tokens'
        ? tinyMatrix(text)
        : { shape: [TINY_DIMENSIONS], data: this.#embed(text) },
    );
    return {
      embeddings,
      promptTokens: batch.length,
      timings: { tokenizeMs: 1.25, queueMs: 0, runMs: 2.5 },
    };
  };

  readonly close = (): Promise<void> => Promise.resolve();
}

/** A model that is ready. */
export function readyStatus(servable: Servable): ModelStatus {
  return { name: servable.name, created: 1_700_000_000, state: 'ready', servable, reason: null };
}

/** A model that can't be used. */
export function waitingStatus(name: string, state: 'loading' | 'failed'): ModelStatus {
  const reason = state === 'failed' ? 'its worker keeps crashing' : null;
  return { name, created: 1_700_000_000, state, servable: null, reason };
}

/** Models by name. */
export function modelsOf(statuses: readonly ModelStatus[]): Models {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return { list: () => statuses, find: (name) => byName.get(name) };
}

const subscriptions = new Set<() => void>();

// Channels are of the process, which runs other test files after this one.
afterAll(() => {
  for (const unsubscribe of subscriptions) unsubscribe();
});

/** The app on a port of its own, with a tiny model unless others are given. */
export class TinyServer {
  readonly servable: TinyServable;
  readonly internalErrors: unknown[] = [];
  readonly events: RequestEvent[] = [];
  readonly app: App;
  phase: Phase = 'serving';
  listener!: Listener;
  #waiters: (() => void)[] = [];
  readonly #unsubscribe: () => void;
  readonly #ends = new WeakSet<Socket>();
  readonly #connections: RawConnection[] = [];

  /** Use {@link start}. */
  constructor(
    servable: TinyServable,
    statuses: readonly ModelStatus[],
    app: Partial<AppOptions> = {},
  ) {
    this.servable = servable;
    this.app = createApp({
      models: modelsOf(statuses),
      metrics: () => Promise.resolve({ contentType: 'text/plain', text: 'tiny 1\n' }),
      phase: () => this.phase,
      version: '1.2.3',
      zstdWorkerUrl: new URL('../../dist/http/zstd-worker.js', import.meta.url),
      onInternalError: (error) => this.internalErrors.push(error),
      ...app,
    });
    this.#unsubscribe = CHANNELS.request.subscribe((event) => {
      // Events of all servers of the process come here.
      const { request } = event.request as Partial<Exchange>;
      if (request === undefined || !this.#ends.has(request.socket)) return;
      this.events.push(event);
      for (const waiter of this.#waiters) waiter();
      this.#waiters = [];
    });
    subscriptions.add(this.#unsubscribe);
  }

  static async start({
    servable = new TinyServable(),
    statuses = [readyStatus(servable)],
    app = {},
    times = {},
  }: {
    servable?: TinyServable;
    statuses?: readonly ModelStatus[];
    /** Other than usual. */
    app?: Partial<AppOptions>;
    /** Other than usual. */
    times?: Partial<ConnectionTimes>;
  } = {}): Promise<TinyServer> {
    const server = new TinyServer(servable, statuses, app);
    const address = { host: '127.0.0.1', port: 0 };
    server.listener = await listen(server.app, address, { ...CONNECTION_TIMES, ...times });
    server.listener.server.on('connection', (socket) => {
      server.#ends.add(socket);
    });
    return server;
  }

  async connect(): Promise<RawConnection> {
    const connection = await RawConnection.open(this.listener.port);
    this.#connections.push(connection);
    return connection;
  }

  /** The response to one request on a connection of its own. */
  async send(bytes: string | Uint8Array): Promise<RawResponse> {
    const connection = await this.connect();
    void connection.write(bytes);
    const response = await connection.response();
    connection.close();
    return response;
  }

  /** Resolves when `count` requests are in flight. */
  async arrived(count: number): Promise<void> {
    while (this.app.openRequests() < count) await setImmediate();
  }

  /** Resolves when `count` requests are over. */
  async over(count: number): Promise<void> {
    while (this.events.length < count) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    const closed = this.listener.stopAccepting();
    this.listener.closeAll();
    await closed;
    this.#unsubscribe();
  }
}

/** The error object of an answer. */
export function errorOf({ body }: RawResponse): {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
} {
  return (JSON.parse(body.toString()) as { error: ReturnType<typeof errorOf> }).error;
}

/** A body of exactly `bytes` bytes that embeds one text, padded in a field that is ignored. */
export function bodyOfBytes(bytes: number): string {
  const fields = { model: 'org/tiny', input: 'x', pad: '' };
  const pad = 'a'.repeat(bytes - JSON.stringify(fields).length);
  return JSON.stringify({ ...fields, pad });
}

/** Something to wait for, until it's opened. */
export function openGate(): { readonly opened: Promise<unknown>; readonly open: () => void } {
  const emitter = new EventEmitter();
  return {
    opened: once(emitter, 'open'),
    open() {
      emitter.emit('open');
    },
  };
}
