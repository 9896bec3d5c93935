import { badAnswer, textOf } from '../errors.ts';
import { platform } from '../platform.ts';
import type { Headers } from '../transport.ts';
import { isZstd } from './zstd.ts';

/** A body and what its head says of it. */
export interface CodedBody {
  readonly headers: Headers;
  /** Whether the transport has decompressed the body. */
  readonly decoded?: boolean;
}

/** Largest answer, compressed or not, in bytes. */
export const MAX_ANSWER_BYTES = 1024 ** 3;

/**
 * @param headers - Names in lower case.
 * @returns Codings of an answer, in the order in which they were put on.
 */
export function codingsOf(headers: Headers): readonly string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * A body without its compression.
 *
 * @param body - Bytes of the answer.
 * @param head - What came before the body.
 * @param maxBytes - Most bytes that it may have.
 * @returns The same array where there was nothing to undo.
 * @throws {@link PerformanceClientError} of kind `serialization` if it can't be decompressed.
 */
export function decodeBody(body: Uint8Array, head: CodedBody, maxBytes: number): Uint8Array {
  const codings = codingsOf(head.headers);
  if (codings.length === 0) return body;
  try {
    if (head.decoded) return undecodedZstd(body, codings, maxBytes);
    return codings.reduceRight((bytes, coding) => decode(bytes, coding, maxBytes), body);
  } catch (error) {
    const names = codings.join(', ');
    throw badAnswer(`Failed to decompress response (${names}): ${textOf(error)}`, error);
  }
}

/** Most bytes of an error's body that are read, decompressed: it is for people. */
const MAX_ERROR_BYTES = 4_194_304;

/**
 * @param body - Bytes of the answer.
 * @param head - What came before the body.
 * @param maxBytes - Most bytes that it may have.
 * @returns Text of an error's body; as it came if it can't be decompressed.
 */
export function errorText(body: Uint8Array, head: CodedBody, maxBytes: number): string {
  let bytes = body;
  try {
    bytes = decodeBody(body, head, Math.min(maxBytes, MAX_ERROR_BYTES));
  } catch {
    // What the server said is more use than why it can't be read.
  }
  return new TextDecoder().decode(bytes.subarray(0, MAX_ERROR_BYTES));
}

function decode(bytes: Uint8Array, coding: string, maxBytes: number): Uint8Array {
  if (coding === 'zstd') return platform().unzstd(bytes, maxBytes);
  if (coding === 'gzip' || coding === 'x-gzip') return platform().gunzip(bytes, maxBytes);
  throw new Error(`unknown coding '${coding}'`);
}

// Not every `fetch` decompresses zstd: no answer of ours begins as a frame does.
function undecodedZstd(body: Uint8Array, codings: readonly string[], maxBytes: number): Uint8Array {
  const left = codings.at(-1) === 'zstd' && isZstd(body);
  return left ? platform().unzstd(body, maxBytes) : body;
}
