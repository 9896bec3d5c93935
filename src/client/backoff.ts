/** Longest wait before a retry, in milliseconds, apart from the jitter. */
export const MAX_BACKOFF_MS = 45_000;

/**
 * @param retry - Which one, from 1.
 * @param initialMs - Wait before the first.
 * @returns Wait before retry number `retry` (from 1), in milliseconds: fourfold each time, with
 * jitter.
 */
export function backoffMs(retry: number, initialMs: number): number {
  const wait = Math.min(initialMs * 4 ** (retry - 1), MAX_BACKOFF_MS);
  return wait + Math.floor(Math.random() * 100);
}

/**
 * @param value - What the answer, header or option holds.
 * @returns Milliseconds that a `Retry-After` asks for (seconds or an HTTP date), at most {@link
 * MAX_BACKOFF_MS}; `null` if it is absent, past or unreadable.
 */
export function retryAfterMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : dateMs(text) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_BACKOFF_MS) : null;
}

// HTTP dates begin with the name of a day; `Date.parse` alone would take much more.
function dateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
}
