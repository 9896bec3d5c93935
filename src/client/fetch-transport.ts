import { decodeUtf8 } from './decode/utf8.ts';
import { textOf } from './errors.ts';
import {
  TransportError,
  type AnswerSink,
  type Exchange,
  type Headers,
  type Transport,
  type WireRequest,
} from './transport.ts';

/** The part of the standard `fetch` that the client uses. */
export type Fetch = typeof fetch;

/** Headers that `fetch` sets itself. */
const OWN_HEADERS = new Set(['accept-encoding', 'host']);

/** Codes by which runtimes say that no connection came about. */
const CONNECT_CODES =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Requests by `fetch`: the platform's, or one that the user gave. */
export class FetchTransport implements Transport {
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  readonly send = (request: WireRequest, sink: AnswerSink): Exchange => {
    const controller = new AbortController();
    const guarded = guard(sink);
    void run(this.#fetch, request, { controller, sink: guarded });
    return {
      connected: true,
      abort: () => {
        guarded.mute();
        controller.abort();
      },
    };
  };

  readonly close = (): void => {
    // The platform looks after its connections.
  };
}

interface GuardedSink extends AnswerSink {
  readonly mute: () => void;
}

// A sink that hears nothing after it is muted.
function guard(sink: AnswerSink): GuardedSink {
  let target: AnswerSink | null = sink;
  return {
    onHead: (head) => target?.onHead(head),
    onBody: (chunk) => target?.onBody(chunk),
    onEnd: () => target?.onEnd(),
    onError: (error) => target?.onError(error),
    mute: () => {
      target = null;
    },
  };
}

interface Run {
  readonly controller: AbortController;
  readonly sink: GuardedSink;
}

async function run(fetch: Fetch, request: WireRequest, { controller, sink }: Run): Promise<void> {
  // Nothing may reach the sink before send() returns, not even an error of a `fetch` that throws.
  await Promise.resolve();
  if (controller.signal.aborted) return;
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name)),
      // As text: some runtimes can't send a buffer again when they follow a redirect.
      body: request.body ? decodeUtf8(request.body) : null,
      signal: controller.signal,
    });
    sink.onHead({
      status: response.status,
      headers: headersOf(response),
      decoded: true,
      length: null,
    });
    if (response.body) await pump(response.body, sink);
  } catch (error) {
    sink.onError(transportError(error));
    return;
  }
  sink.onEnd();
}

async function pump(body: ReadableStream<Uint8Array>, sink: AnswerSink): Promise<void> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    sink.onBody(value);
  }
}

function headersOf(response: Response): Headers {
  const headers: Headers = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return headers;
}

function transportError(error: unknown): TransportError {
  const cause = causeOf(error);
  const kind = CONNECT_CODES.test(codeOf(cause)) ? 'connect' : 'network';
  return new TransportError(kind, textOf(cause), { cause: error });
}

// `fetch` rejects with a bare TypeError; what happened is its cause.
function causeOf(error: unknown): unknown {
  const fields = error as { cause?: unknown } | null;
  return fields?.cause ?? error;
}

function codeOf(cause: unknown): string {
  const fields = cause as { code?: unknown; errors?: unknown[] } | null;
  if (typeof fields?.code === 'string') return fields.code;
  return fields?.errors?.length ? codeOf(fields.errors[0]) : '';
}
