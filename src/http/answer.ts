import type { OutgoingHttpHeaders } from 'node:http';
import { MAX_BODY_BYTES } from '../limits/constants.ts';
import type { Exchange } from './exchange.ts';
import { linger } from './linger.ts';

/** Status and headers of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
}

/**
 * Writes an answer that is at hand as a whole, with its length.
 *
 * If much of the request's body is still unread, or may never come, the answer is sent at once, what
 * still comes is thrown away for a while, and the connection is closed.
 *
 * @param exchange - Not yet answered.
 * @param head - `Content-Length` is added.
 * @param body - Not sent to HEAD. Null: the status has none, such as 204.
 */
export function answer(
  exchange: Exchange,
  { status, headers }: Head,
  body: Uint8Array | null,
): void {
  const { request, response } = exchange;
  if (body !== null) headers['content-length'] = body.length;
  if (request.complete || !hasBody(exchange)) {
    exchange.writeHead(status, headers);
    end(exchange, body);
  } else if (mayDiscard(exchange)) {
    exchange.writeHead(status, headers);
    end(exchange, body);
    // Node does this only if nobody has begun to read.
    request.resume();
  } else {
    headers.connection = 'close';
    exchange.writeHead(status, headers);
    if (body === null || request.method === 'HEAD') response.flushHeaders();
    else response.write(body);
    linger(exchange);
    exchange.finish();
  }
}

function end(exchange: Exchange, body: Uint8Array | null): void {
  const { response } = exchange;
  response.end(body);
  // Nearly always the system has taken all of it by now.
  if (response.socket?.writableLength !== 0) exchange.cutOffIfStalled();
}

function hasBody({ request: { headers } }: Exchange): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

// Whether the rest of the body is short and sure to come, so that the connection can live on.
function mayDiscard({ request: { headers }, isWaiting, isLast }: Exchange): boolean {
  return (
    !isWaiting &&
    !isLast &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length']) <= MAX_BODY_BYTES
  );
}
