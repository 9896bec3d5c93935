import type { Socket } from 'node:net';

/** What the first bytes of a connection say. */
export type Protocol = 'http/1.1' | 'http/2';

/** Begins the preface of HTTP/2; no method of HTTP/1.1 begins so. */
const PREFACE = Buffer.from('PRI');

/** Until when the first bytes must be there, in ms. */
export interface FirstBytesTimes {
  /** For the first one. */
  readonly keepAliveMs: number;
  /** For the others, from the first one on. */
  readonly headersMs: number;
}

/**
 * Looks at the first bytes of a connection, however they are cut, and puts them back.
 *
 * A connection that sends none in time, ends or fails before is closed.
 *
 * @param socket - New; nobody has read from it.
 * @param times - How long to wait.
 * @param decide - Called at most once; the socket can be handed to a server in it.
 */
export function lookAtFirstBytes(
  socket: Socket,
  times: FirstBytesTimes,
  decide: (protocol: Protocol) => void,
): void {
  let held: Buffer | null = null;
  function look(): void {
    const chunk = socket.read() as Buffer | null;
    // 'readable' announces the end, too.
    if (chunk === null) return;
    const bytes = held === null ? chunk : Buffer.concat([held, chunk]);
    const protocol = protocolOf(bytes);
    if (protocol === null) {
      held = bytes;
      socket.setTimeout(times.headersMs);
      return;
    }
    socket.off('readable', look).off('end', close).off('timeout', close).setTimeout(0);
    socket.unshift(bytes);
    decide(protocol);
  }
  function close(): void {
    socket.destroy();
  }
  socket.on('readable', look).on('end', close).on('timeout', close).setTimeout(times.keepAliveMs);
  // A reset is followed by 'close', which is all that matters.
  socket.on('error', () => undefined);
}

// Null: too few bytes to tell.
function protocolOf(bytes: Buffer): Protocol | null {
  const length = Math.min(bytes.length, PREFACE.length);
  if (PREFACE.compare(bytes, 0, length, 0, length) !== 0) return 'http/1.1';
  return length === PREFACE.length ? 'http/2' : null;
}
