import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Longest id of a client that is taken over. */
export const MAX_ID_CHARACTERS = 256;

/** Visible ASCII and spaces: anything else could break a header or a log. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Tells the ids of this process from those of others. */
const PREFIX = randomBytes(5).toString('hex');

let count = 0;

/**
 * The id of a request.
 *
 * @param headers - `x-request-id` counts before `x-baseten-customer-request-id`.
 * @returns The client's id if it's printable and at most {@link MAX_ID_CHARACTERS} long, else a new one.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const theirs = headers['x-request-id'] ?? headers['x-baseten-customer-request-id'];
  return typeof theirs === 'string' && theirs.length <= MAX_ID_CHARACTERS && PRINTABLE.test(theirs)
    ? theirs
    : newRequestId();
}

/**
 * An id for a request that brings none.
 *
 * @returns Unique: a part for the process and a count.
 */
export function newRequestId(): string {
  count += 1;
  return `${PREFIX}-${count.toString(36)}`;
}
