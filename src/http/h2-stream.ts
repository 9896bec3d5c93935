import {
  request as openRequest,
  type Agent,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { ServeError } from '../errors.ts';
import { errorReply } from './error-reply.ts';
import { discard } from './linger.ts';
import { newRequestId } from './request-id.ts';

/** What a stream's request goes out by. */
export interface StreamOptions {
  /** Connects with the HTTP/1.1 server. */
  readonly agent: Agent;
  /** For clients that take no byte of their answer, in ms. */
  readonly stallMs: number;
}

/** Headers that speak of a connection of HTTP/1.1. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
]);

/**
 * Sends the request of a stream to the HTTP/1.1 server, and its answer back.
 *
 * A stream that is closed closes the request's connection, and the other way round.
 *
 * @param stream - New.
 * @param rawHeaders - Names and values in turn, as they came.
 * @param options - By what.
 */
export function bridgeStream(
  stream: ServerHttp2Stream,
  rawHeaders: readonly string[],
  { agent, stallMs }: StreamOptions,
): void {
  // A stream that fails is closed, which is all that matters.
  stream.on('error', () => undefined);
  const head = headOf(rawHeaders, !stream.endAfterHeaders);
  let request: ClientRequest;
  try {
    request = open(head, agent);
  } catch (error) {
    refuse(stream, error);
    return;
  }
  let isOver = false;
  function end(): void {
    if (isOver || stream.closed) return;
    isOver = true;
    if (!stream.writableEnded) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else if (!stream.endAfterHeaders && !stream.readableEnded) discardUpload(stream, request);
  }
  stream.once('close', () => request.destroy());
  request.on('error', end).on('close', end);
  request.on('continue', () => {
    if (!stream.closed) stream.additionalHeaders({ ':status': 100 });
  });
  request.on('response', (response) => {
    if (stream.closed) return;
    stream.setTimeout(stallMs, () => {
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.respond(headersOf(response));
    response.on('error', end);
    response.pipe(stream);
  });
  if (stream.endAfterHeaders) {
    stream.resume();
    request.end();
  } else {
    stream.pipe(request);
    // Its head must not wait for a body that comes later; most are here by then.
    setImmediate(() => {
      if (!request.writableEnded && !request.destroyed) request.flushHeaders();
    });
  }
}

/** A request's head in HTTP/1.1. */
interface Head {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
}

function headOf(rawHeaders: readonly string[], hasBody: boolean): Head {
  const headers: string[] = [];
  let isSized = false;
  const pseudo = { ':method': '', ':path': '', ':authority': '', ':scheme': '' };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    isSized ||= name === 'content-length';
    if (Object.hasOwn(pseudo, name)) pseudo[name as keyof typeof pseudo] = value;
    else if (!OF_CONNECTION.has(name)) headers.push(name, value);
  }
  // Node keeps the first of two.
  if (pseudo[':authority'] !== '') headers.unshift('host', pseudo[':authority']);
  // A body without either would be read as the next request of the connection.
  if (hasBody && !isSized) headers.push('transfer-encoding', 'chunked');
  return { method: pseudo[':method'], path: pseudo[':path'], headers };
}

function open({ method, path, headers }: Head, agent: Agent): ClientRequest {
  if (method === 'CONNECT') {
    throw new ServeError('method_not_allowed', 'Cannot CONNECT: this server is no proxy');
  }
  try {
    return openRequest({ method, path, headers, agent, setHost: false });
  } catch (cause) {
    throw new ServeError(
      'bad_request',
      'Cannot read the request: its method, path or headers have characters that HTTP does not allow',
      { cause },
    );
  }
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  const { status, headers, body } = errorReply(error);
  stream.respond({ ':status': status, ...headers, 'x-request-id': newRequestId() });
  stream.end(body);
}

function headersOf({ statusCode, rawHeaders }: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ':status': statusCode };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!OF_CONNECTION.has(name)) headers[name] = rawHeaders[at + 1];
  }
  return headers;
}

// The answer is given, and its server reads no more. Without that, the client would wait for its window;
// a reset at once may cost it the answer.
function discardUpload(stream: ServerHttp2Stream, request: ClientRequest): void {
  stream.unpipe(request);
  discard(stream, () => {
    stream.close(constants.NGHTTP2_NO_ERROR);
  });
}
