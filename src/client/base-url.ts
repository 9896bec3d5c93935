import { invalid } from './errors.ts';

/**
 * @param baseUrl - As the user gave it.
 * @returns A base URL without the slashes at its end.
 */
export function trimBase(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

/**
 * Checks that requests can be sent below a base URL.
 *
 * @param baseUrl - As the user gave it.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` if not.
 */
export function checkBase(baseUrl: string): void {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw invalid(`Invalid base URL: '${baseUrl}' is not an absolute http or https URL`);
  }
}

/**
 * @param path - As the user gave it.
 * @returns A path as it is appended to a base URL: trimmed, and with a slash in front.
 */
export function normalizePath(path: string): string {
  const trimmed = path.trim();
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}
