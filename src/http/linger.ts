import type { Exchange } from './exchange.ts';
import { DISCARD_IDLE_MS, DISCARD_MAX_BYTES, DISCARD_MAX_MS } from './timeouts.ts';

/**
 * Ends a connection whose request body is refused, so that the answer arrives.
 *
 * A socket that is closed while data waits in it resets the connection, and the client may lose the
 * answer. So only our side is closed at first: the client sees the end of the answer, what it still
 * sends is thrown away, until it closes its side or a bound is reached.
 *
 * @param exchange - Its answer is written as a whole; the response is not ended, as Node would close both sides.
 */
export function linger({ request, response }: Exchange): void {
  const { socket } = request;
  let discarded = 0;
  function close(): void {
    clearTimeout(total);
    clearTimeout(idle);
    socket.destroy();
  }
  const total = setTimeout(close, DISCARD_MAX_MS).unref();
  const idle = setTimeout(close, DISCARD_IDLE_MS).unref();
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_MAX_BYTES) close();
    else idle.refresh();
  });
  request.on('end', close).on('error', close).on('close', close);
  response.on('error', close);
  socket.end();
  request.resume();
}
