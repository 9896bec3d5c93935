import { unzstdSlowly } from './decode/zstd.ts';
import { invalid } from './errors.ts';
import { FetchTransport } from './fetch-transport.ts';
import type { Platform } from './platform.ts';

/** Browsers and edge runtimes: `fetch` alone. They decompress and look after connections. */
export const FETCH_PLATFORM: Platform = {
  openTransport: ({ httpVersion, proxy }) => {
    if (proxy !== null) throw invalid('a proxy cannot be set on this platform');
    if (httpVersion === 2) throw invalid('HTTP/2 cannot be chosen on this platform');
    // Looked up at each request, so that a replaced `fetch` is used.
    return new FetchTransport((input, init) => globalThis.fetch(input, init));
  },
  acceptEncoding: null,
  gunzip: () => {
    throw new Error('the platform decompresses gzip itself');
  },
  unzstd: unzstdSlowly,
  gzip: null,
};
