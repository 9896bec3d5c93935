import { badAnswer, textOf } from '../errors.ts';
import type { Headers } from '../transport.ts';
import { readMsgpack, type FloatMode } from './msgpack-reader.ts';
import { decodeUtf8 } from './utf8.ts';

const MSGPACK_TYPES = new Set([
  'application/msgpack',
  'application/x-msgpack',
  'application/messagepack',
  'application/vnd.msgpack',
]);

/**
 * @param headers - Names in lower case.
 * @returns Whether an answer is MessagePack; everything else is read as JSON.
 */
export function isMsgpack(headers: Headers): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return MSGPACK_TYPES.has(type.trim().toLowerCase());
}

/**
 * The value of an answer, whichever format it has.
 *
 * @param body - Bytes of the answer.
 * @param headers - Names in lower case.
 * @param floats - What a vector becomes.
 * @returns Maps as plain objects, lists as arrays.
 * @throws {@link PerformanceClientError} of kind `serialization` if it has none.
 */
export function answerValue(body: Uint8Array, headers: Headers, floats: FloatMode): unknown {
  const msgpack = isMsgpack(headers);
  try {
    return msgpack ? readMsgpack(body, floats) : (JSON.parse(decodeUtf8(body)) as unknown);
  } catch (error) {
    const format = msgpack ? 'MessagePack' : 'JSON';
    throw badAnswer(`Failed to parse response ${format}: ${textOf(error)}`, error);
  }
}
