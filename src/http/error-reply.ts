import type { OutgoingHttpHeaders } from 'node:http';
import { ERRORS, ServeError, type ErrorCode } from '../errors.ts';
import { answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Seconds after which a client may try again, of the errors that pass. */
const RETRY_AFTER_S: Readonly<Partial<Record<ErrorCode, number>>> = {
  overloaded: 1,
  model_loading: 2,
  shutting_down: 1,
};

/** An error as HTTP. */
export interface ErrorReply {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** JSON: `{"error":{"message","type","param","code"}}`. */
  readonly body: Buffer;
}

/**
 * What HTTP makes of an error, whatever `Accept` says.
 *
 * @param error - Anything but a {@link ServeError} is a bug, and answered as `internal_error` without detail.
 * @returns Status, headers and body.
 */
export function errorReply(error: unknown): ErrorReply {
  const known =
    error instanceof ServeError
      ? error
      : new ServeError('internal_error', 'Cannot answer the request: internal error');
  const { code, message, param } = known;
  const { status, type } = ERRORS[code];
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' };
  const retryAfterS = known.retryAfterS ?? RETRY_AFTER_S[code];
  if (retryAfterS !== undefined) headers['retry-after'] = String(retryAfterS);
  return {
    code,
    status,
    headers,
    body: Buffer.from(JSON.stringify({ error: { message, type, param, code } })),
  };
}

/**
 * Answers a request with an error. If an answer is under way already, its connection is cut, which is
 * all that can tell the client; if it's done, nothing happens.
 *
 * @param exchange - Of the request.
 * @param error - As for {@link errorReply}.
 */
export function replyError(exchange: Exchange, error: unknown): void {
  const { response, route } = exchange;
  if (exchange.isAnswered) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { code, status, headers, body } = errorReply(error);
  exchange.code = code;
  if (code === 'client_closed') {
    response.destroy();
    return;
  }
  if (route?.isInference === true) headers['server-timing'] = exchange.serverTiming(undefined);
  answer(exchange, { status, headers }, body);
}
