import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { WasmZstd } from './zstd.ts';

/** A content coding that answers can have. */
export interface AnswerCoding {
  /** As in `Accept-Encoding` and `Content-Encoding`. */
  readonly name: string;
  /** Encodes a small answer, of one slice, at once. */
  readonly encode: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /** Encodes a large answer slice by slice, off the main thread. */
  readonly open: () => Transform;
}

/** Chooses the coding of an answer by the value of `Accept-Encoding`; null: none. */
export type ChooseCoding = (header: string | string[] | undefined) => AnswerCoding | null;

/** `createZstdCompress` of Node 22.15 and 23.8 or newer. */
interface ZlibZstd {
  readonly createZstdCompress: (options: zlib.BrotliOptions) => Transform;
  readonly zstdCompressSync: (bytes: Uint8Array, options: zlib.BrotliOptions) => Uint8Array;
}

/** Longer headers are cut: no client needs them, and they cost time. */
const MAX_HEADER_CHARACTERS = 1_000;

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Numbers as text hardly get shorter at higher levels, which cost a multiple. */
const GZIP = { level: 1 };

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;

/** As for gzip; and a window of 256 KiB, since each stream has its own. */
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: 18 } };

/** `ZSTD_c_compressionLevel`. */
const ZSTD = { params: { 100: 1 } };

/**
 * Makes the choice between zstd, br and gzip, which are preferred in this order.
 *
 * @param zstdWorkerUrl - Of the built `zstd-worker.js`, which is used where Node has no zstd.
 * @returns The choice: the coding of the highest quality. None for clients that name no coding, or
 * none of these, or prefer `identity`; `*` stands for those that aren't named.
 */
export function answerCodings(zstdWorkerUrl: URL): ChooseCoding {
  const codings: readonly AnswerCoding[] = [
    { name: 'zstd', ...(zlibZstd() ?? new WasmZstd(zstdWorkerUrl)) },
    {
      name: 'br',
      encode: (bytes) => zlib.brotliCompressSync(bytes, BROTLI),
      open: () => zlib.createBrotliCompress(BROTLI),
    },
    {
      name: 'gzip',
      encode: (bytes) => zlib.gzipSync(bytes, GZIP),
      open: () => zlib.createGzip(GZIP),
    },
  ];
  return (header) => {
    if (typeof header !== 'string' || header === '') return null;
    const qualities = qualitiesOf(header);
    let best: AnswerCoding | null = null;
    let least = qualities.get('identity') ?? 0;
    for (const coding of codings) {
      const quality = qualities.get(coding.name) ?? qualities.get('*') ?? 0;
      if (quality > 0 && (best === null ? quality >= least : quality > least)) {
        best = coding;
        least = quality;
      }
    }
    return best;
  };
}

function zlibZstd(): Omit<AnswerCoding, 'name'> | null {
  const { createZstdCompress: create, zstdCompressSync: compress } = zlib as Partial<ZlibZstd>;
  if (create === undefined || compress === undefined) return null;
  return { encode: (bytes) => compress(bytes, ZSTD), open: () => create(ZSTD) };
}

// By coding in lower case; of a coding that is named twice, the last counts.
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const members = header.slice(0, MAX_HEADER_CHARACTERS).toLowerCase().split(',');
  return new Map(
    members.map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [name, QUALITY.test(weight) ? Number(weight) : 0] as const;
    }),
  );
}
