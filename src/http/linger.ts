import type { Readable } from 'node:stream';
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
  response.on('error', () => socket.destroy());
  socket.end();
  discard(request, () => socket.destroy());
}

/**
 * Throws away what still comes, within bounds of bytes, time and silence.
 *
 * @param source - Of an upload that nobody wants any more.
 * @param close - Called once or more when it has ended or a bound is reached.
 */
export function discard(source: Readable, close: () => void): void {
  let discarded = 0;
  function stop(): void {
    clearTimeout(total);
    clearTimeout(idle);
    close();
  }
  const total = setTimeout(stop, DISCARD_MAX_MS).unref();
  const idle = setTimeout(stop, DISCARD_IDLE_MS).unref();
  source.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_MAX_BYTES) stop();
    else idle.refresh();
  });
  source.on('end', stop).on('error', stop).on('close', stop);
  source.resume();
}
