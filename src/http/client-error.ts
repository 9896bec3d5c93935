import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServeError, type ErrorCode } from '../errors.ts';
import { CHANNELS } from '../ops/channels.ts';
import type { App } from './app.ts';
import { errorReply, replyError } from './error-reply.ts';
import { bareEvent } from './request-event.ts';
import { newRequestId } from './request-id.ts';
import { DISCARD_IDLE_MS, MAX_HEADER_BYTES } from './timeouts.ts';

/** Codes of Node's errors, ours, and the reason. */
const FAULTS: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    ['headers_too_large', `its line and headers are longer than ${MAX_HEADER_BYTES} bytes`],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'it did not come in time']],
]);

/** Sockets that were answered and are about to close. */
const answered = new WeakSet<Duplex>();

/**
 * Answers what isn't HTTP, or not in time, on its socket: there is no request to answer.
 *
 * @param app - Knows the request that the socket is in the middle of.
 * @param error - From the server's event `clientError`.
 * @param socket - Closed in the end.
 */
export function answerClientError(app: App, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const fault = faultOf(error);
  const exchange = app.exchangeOf(socket);
  if (exchange === undefined || exchange.response.closed) {
    answerSocket(socket, fault);
  } else if (exchange.request.complete) {
    // What came behind a whole request is at fault: that one gets its answer first.
    exchange.response.once('finish', () => {
      answerSocket(socket, fault);
    });
  } else {
    exchange.response.setHeader('connection', 'close');
    replyError(exchange, fault);
  }
}

/**
 * Answers with an error on a bare socket and closes it.
 *
 * @param socket - Writable.
 * @param error - What to say.
 * @param allow - Value of `Allow`, if it needs one.
 */
export function answerSocket(socket: Duplex, error: ServeError, allow?: string): void {
  const { code, status, headers, body } = errorReply(error);
  const id = newRequestId();
  CHANNELS.request.publish(bareEvent(id, code));
  const fields = {
    ...headers,
    ...(allow === undefined ? {} : { allow }),
    'x-request-id': id,
    'content-length': body.length,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  socket.end(body);
  // Only our side is closed, lest a reset takes the answer away from a client that is still sending.
  const timer = setTimeout(() => socket.destroy(), DISCARD_IDLE_MS).unref();
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

function faultOf(error: NodeJS.ErrnoException): ServeError {
  const { code = '' } = error;
  const [known, reason] = FAULTS.get(code) ?? ['bad_request', 'it is not valid HTTP'];
  return new ServeError(known, `Cannot read the request: ${reason}`, { cause: error });
}
