import type { Transport } from './transport.ts';

/** How the connections of a client are made. */
export interface TransportOptions {
  readonly httpVersion: 1 | 2;
  /** Proxy for everything, or `null` for what the environment says. */
  readonly proxy: string | null;
}

/** What the builds of the client do differently: the one for Node, and the one with `fetch` alone. */
export interface Platform {
  /**
   * Makes a transport.
   *
   * @throws {@link PerformanceClientError} of kind `invalid_parameter` for what it can't do.
   */
  readonly openTransport: (options: TransportOptions) => Transport;
  /** Value of `accept-encoding`, or `null` where the platform sets it. */
  readonly acceptEncoding: string | null;
  /** Decompresses gzip, to at most `maxBytes`. */
  readonly gunzip: (body: Uint8Array, maxBytes: number) => Uint8Array;
  /** Decompresses zstd, to at most `maxBytes`. */
  readonly unzstd: (body: Uint8Array, maxBytes: number) => Uint8Array;
  /** Compresses what is exported as traces; `null`: the platform exports none. */
  readonly gzip: ((body: Uint8Array) => Uint8Array) | null;
}

let installed: Platform | null = null;

/**
 * Says which platform this build is for; its entry point does so before anything else.
 *
 * @param platform - What is special about the build.
 */
export function installPlatform(platform: Platform): void {
  installed = platform;
}

/**
 * @returns The platform of this build.
 */
export function platform(): Platform {
  if (!installed) throw new Error('no platform is installed');
  return installed;
}
