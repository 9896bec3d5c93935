import { ServeError } from '../errors.ts';
import type { Models } from '../graph/servable.ts';

/** Where a server is in its life: a draining one still serves, a closing one only ends what it has begun. */
export type Phase = 'serving' | 'draining' | 'closing';

/**
 * Why a server should be sent no requests now.
 *
 * @param models - The served models: all must be ready, and there must be one.
 * @param phase - Where the server is.
 * @returns The error to answer, or null if the server is ready.
 */
export function unreadiness(models: Models, phase: Phase): ServeError | null {
  if (phase !== 'serving') {
    return new ServeError('shutting_down', 'Cannot take new requests: the server is shutting down');
  }
  const statuses = models.list();
  if (statuses.length === 0) {
    return new ServeError('model_loading', 'Cannot take requests: no model is served');
  }
  const waiting = statuses.filter(({ state }) => state !== 'ready');
  if (waiting.length === 0) return null;
  const list = waiting.map(({ name, state }) => `${JSON.stringify(name)} (${state})`).join(', ');
  return new ServeError('model_loading', `Cannot take requests yet: not ready: ${list}`);
}
