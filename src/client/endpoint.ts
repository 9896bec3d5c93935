import { trimBase } from './base-url.ts';
import { invalid } from './errors.ts';
import type { HttpClientWrapper } from './http-client-wrapper.ts';

const PREFIX = 'Invalid endpoint configuration: Invalid parameter: ';
const MIN_SECONDS = 0.1;

/** One of the URLs that tell of an endpoint's health. */
export interface HealthUrl {
  readonly url: string;
  /** Whether a timeout says nothing; else it is a failure. */
  readonly timeoutIsNoVote: boolean;
}

/** How the health of an endpoint is found out. */
export interface HealthSettings {
  /** Checks, each with what its timeout means. */
  readonly checks: readonly HealthUrl[];
  readonly apiKey: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Whether the first unhealthy check ends a round. */
  readonly failOnFirst: boolean;
}

/** A server of an {@link EndpointPool}, and how to find out whether it is well. */
export class Endpoint {
  /** Base URL without a slash at its end. */
  readonly baseUrl: string;
  /** Connections for requests and health checks. */
  readonly clientWrapper: HttpClientWrapper;
  /** How its health is found out. */
  readonly health: HealthSettings;

  /**
   * @param baseUrl - As the user gave it.
   * @param apiKey - Key for the health checks; requests use the client's.
   * @param clientWrapper - Connections for requests and health checks.
   * @param deepHealthUrl - Absolute URL of a second check.
   * @param deploymentHealthPath - Path of the check; `/health`.
   * @param healthCheckIntervalS - Seconds between rounds; 10.
   * @param healthCheckTimeoutS - Seconds for one try; 6.
   * @param healthCheckRetries - Further tries of a check; 2.
   * @param healthFailOnFirst - Whether the first unhealthy check ends a round; false.
   * @param deploymentTimeoutIsNoVote - Whether a timeout of the path says nothing; true.
   * @param deepTimeoutIsNoVote - The same for the deep URL; true.
   * @throws {@link PerformanceClientError} of kind `invalid_parameter` for bad values.
   */
  // The positions are those of the API that programs were written for.
  // eslint-disable-next-line max-params
  constructor(
    baseUrl: string,
    apiKey: string,
    clientWrapper: HttpClientWrapper,
    deepHealthUrl?: string | null,
    deploymentHealthPath?: string | null,
    healthCheckIntervalS?: number | null,
    healthCheckTimeoutS?: number | null,
    healthCheckRetries?: number | null,
    healthFailOnFirst?: boolean | null,
    deploymentTimeoutIsNoVote?: boolean | null,
    deepTimeoutIsNoVote?: boolean | null,
  ) {
    if (baseUrl.trim() === '') throw refused('endpoint base_url cannot be empty');
    if (apiKey.trim() === '') throw refused('endpoint health_api_key cannot be empty');
    const timeoutMs = milliseconds('health_check_timeout', healthCheckTimeoutS ?? 6);
    const intervalMs = milliseconds('health_check_interval', healthCheckIntervalS ?? 10);
    this.baseUrl = trimBase(baseUrl);
    this.clientWrapper = clientWrapper;
    const deployment = check(
      healthUrl(this.baseUrl, deploymentHealthPath ?? '/health'),
      deploymentTimeoutIsNoVote,
    );
    const deep = typeof deepHealthUrl === 'string' ? [absolute(deepHealthUrl)] : [];
    this.health = {
      checks: [deployment, ...deep.map((url) => check(url, deepTimeoutIsNoVote))],
      apiKey,
      intervalMs,
      timeoutMs,
      retries: healthCheckRetries ?? 2,
      failOnFirst: healthFailOnFirst ?? false,
    };
  }
}

function refused(reason: string): Error {
  return invalid(`${PREFIX}${reason}`);
}

function check(url: string, timeoutIsNoVote: boolean | null | undefined): HealthUrl {
  return { url, timeoutIsNoVote: timeoutIsNoVote ?? true };
}

function milliseconds(name: string, seconds: number): number {
  if (seconds >= MIN_SECONDS) return seconds * 1000;
  throw refused(`${name} must be at least 100ms`);
}

function healthUrl(baseUrl: string, path: string): string {
  if (/^https?:\/\//i.test(path)) return absolute(path);
  return `${baseUrl}${path.startsWith('/') ? '' : '/'}${path}`;
}

function absolute(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw refused('absolute endpoint_health check URLs must be valid');
}
