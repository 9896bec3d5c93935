import * as zlib from 'node:zlib';
import { unzstdSlowly } from './decode/zstd.ts';
import { readEnv } from './env.ts';
import { Http1Transport } from './http1/http1-transport.ts';
import { Http2Transport } from './http2/http2-transport.ts';
import type { Platform } from './platform.ts';
import { ProxyChoice } from './sockets/proxy.ts';

type Unzstd = (body: Uint8Array, options: object) => Uint8Array;

/** Largest window of the zstd format's recommendation for decoders, as an exponent of 2. */
const MAX_WINDOW_LOG = 27;

/** Node has zstd from 22.15 and 23.8 on. */
const native = zlib as unknown as {
  readonly zstdDecompressSync?: Unzstd;
  readonly constants: { readonly ZSTD_d_windowLogMax?: number };
};

/**
 * Decompresses zstd by `unzstd` of node:zlib if there is one, else in JavaScript.
 *
 * @param unzstd - The function of node:zlib, where there is one.
 * @returns The function for the platform.
 */
export function zstdDecoder(unzstd: Unzstd | undefined): Platform['unzstd'] {
  if (!unzstd) return unzstdSlowly;
  const name = native.constants.ZSTD_d_windowLogMax;
  const params = name === undefined ? {} : { [name]: MAX_WINDOW_LOG };
  return (body, maxOutputLength) => unzstd(body, { maxOutputLength, params });
}

/** Node: sockets, HTTP/2, proxies, zlib. */
export const NODE_PLATFORM: Platform = {
  openTransport: ({ httpVersion, proxy }) => {
    const proxies = new ProxyChoice(proxy, readEnv);
    return httpVersion === 2 ? new Http2Transport(proxies) : new Http1Transport(proxies);
  },
  acceptEncoding: 'zstd, gzip',
  gunzip: (body, maxOutputLength) => zlib.gunzipSync(body, { maxOutputLength }),
  unzstd: zstdDecoder(native.zstdDecompressSync),
  gzip: (body) => zlib.gzipSync(body),
};
