import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { ServeError } from '../errors.ts';

/** What makes the decoder of a content coding. */
export type OpenDecoder = () => Transform;

/** Codings that one body may be wrapped in; each costs a decoder. */
const MAX_CODINGS = 3;

/** Present from Node 22.15 and 23.8 on. */
const zstd = (zlib as { readonly createZstdDecompress?: OpenDecoder }).createZstdDecompress;

/** The codings of request bodies by their name in `Content-Encoding`. */
export const CONTENT_CODINGS: ReadonlyMap<string, OpenDecoder> = new Map<string, OpenDecoder>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  ...(zstd === undefined ? [] : [['zstd', zstd] as const]),
]);

/**
 * The decoders that a body must go through.
 *
 * @param header - The value of `Content-Encoding`.
 * @returns In the order of decoding, which is the header's reversed; none for a plain body.
 * @throws {@link ServeError} `unsupported_media_type`: names the header and the known codings.
 */
export function decodersFor(header: string | undefined): readonly OpenDecoder[] {
  if (header === undefined) return [];
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS) {
    throw new ServeError(
      'unsupported_media_type',
      `Cannot decode a body with ${names.length} codings in its header Content-Encoding: the limit is ${MAX_CODINGS}`,
    );
  }
  return names.reverse().map((name) => {
    const open = CONTENT_CODINGS.get(name);
    if (open !== undefined) return open;
    throw new ServeError(
      'unsupported_media_type',
      `Cannot decode a body with the header Content-Encoding: ${JSON.stringify(name.slice(0, 100))}: known are ${[...CONTENT_CODINGS.keys()].join(', ')}`,
    );
  });
}
