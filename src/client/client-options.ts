import type { EndpointPool } from './endpoint-pool.ts';
import type { Fetch } from './fetch-transport.ts';
import type { HttpClientWrapper } from './http-client-wrapper.ts';
import type { Logger } from './logger.ts';
import type { PreferenceOptions } from './preference-options.ts';
import type { RequestProcessingPreference } from './request-processing-preference.ts';

/** How a call is carried out: an object of the class, or the fields by name. */
export type Preference = RequestProcessingPreference | PreferenceOptions;

/** Asks for `Float32Array` rows in place of `number[]`. */
export type Float32Preference = PreferenceOptions & { readonly vectors: 'float32' };

/** Any preference that doesn't ask for `Float32Array` rows by its type. */
export type ArrayPreference =
  | RequestProcessingPreference
  | (Omit<PreferenceOptions, 'vectors'> & { readonly vectors?: 'array' | null | undefined });

/** What a client can be given beside its positions. */
export interface ClientOptions {
  /** Every request goes through it; the client opens no connection of its own. */
  readonly fetch?: Fetch | undefined;
  /** Takes what the client has to say; without it nothing is said. */
  readonly logger?: Logger | undefined;
  /** Value of `accept-encoding`, in place of `zstd, gzip`. */
  readonly acceptEncoding?: string | undefined;
  /** Largest answer, as it comes and decompressed, in bytes; 1 GiB. */
  readonly maxAnswerBytes?: number | undefined;
}

/** All that a client can be given, by name. */
export interface NamedClientOptions extends ClientOptions {
  readonly apiKey?: string | null | undefined;
  /** 2 for HTTP/2, else HTTP/1.1. */
  readonly httpVersion?: number | null | undefined;
  /** Connections to share; its version and proxy win. */
  readonly clientWrapper?: HttpClientWrapper | null | undefined;
  readonly proxy?: string | null | undefined;
  readonly endpointPool?: EndpointPool | null | undefined;
}
