import { invalid } from './errors.ts';
import { platform } from './platform.ts';
import { withRedirects } from './redirects.ts';
import type { Transport } from './transport.ts';

/** Connections that clients and endpoints can share. */
export class HttpClientWrapper {
  readonly #transport: Transport;

  /**
   * @param httpVersion 2 for HTTP/2, anything else for HTTP/1.1.
   * @param proxy proxy for every request; else the environment says.
   * @throws {@link PerformanceClientError} of kind `invalid_parameter` for a proxy that isn't one.
   */
  constructor(httpVersion?: number | null, proxy?: string | null) {
    if (typeof (proxy ?? '') !== 'string') throw invalid('Invalid proxy URL: it must be a string');
    this.#transport = withRedirects(
      platform().openTransport({ httpVersion: httpVersion === 2 ? 2 : 1, proxy: proxy ?? null }),
    );
  }

  /**
   * @returns What sends requests; not for users of the package.
   */
  get transport(): Transport {
    return this.#transport;
  }

  /** Closes idle connections now, and the others as they become idle. */
  close(): void {
    this.#transport.close();
  }
}
