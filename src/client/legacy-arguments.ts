import type { PreferenceOptions } from './preference-options.ts';

type N = number | null | undefined;

/**
 * Options from the tail of positions that the native package had, from `maxConcurrentRequests`
 * on.
 *
 * @param tail - Arguments from the first that differs.
 * @returns The fields by name.
 */
export function legacyTail(tail: readonly unknown[]): PreferenceOptions {
  const [maxConcurrentRequests, batchSize, timeoutS, maxCharsPerRequest, hedgeDelay] =
    tail as readonly N[];
  return { maxConcurrentRequests, batchSize, timeoutS, maxCharsPerRequest, hedgeDelay };
}

/**
 * @param tail - Arguments from the first that differs.
 * @returns Whether the arguments from the 6th on of `embed` are the old ones.
 */
export function isLegacyEmbed(tail: readonly unknown[]): boolean {
  return typeof tail[0] === 'number' || tail.length > 1;
}
