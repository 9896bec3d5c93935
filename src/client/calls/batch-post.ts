import { normalizePath } from '../base-url.ts';
import { singleBatches } from '../batching.ts';
import type { ClientCore } from '../client-core.ts';
import { answerValue } from '../decode/answer-value.ts';
import { decodeBody } from '../decode/codings.ts';
import { invalid, PerformanceClientError, textOf } from '../errors.ts';
import type { PreferenceOptions } from '../preference-options.ts';
import type { BatchPostResponse } from '../responses.ts';
import { hasBody, runCall } from '../run-call.ts';
import { checkSettings } from '../settings.ts';

/** Methods that `batchPost` sends. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** A method that `batchPost` sends. */
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Methods whose answers aren't looked at. */
const UNREAD = new Set(['DELETE', 'HEAD', 'OPTIONS']);

/** What callers of `batchPost` gave, unchecked. */
export interface BatchPostArguments {
  readonly path: unknown;
  readonly payloads: unknown;
  readonly method: unknown;
  /** How messages call the payloads. */
  readonly label: 'Payloads' | 'Requests';
  readonly options: PreferenceOptions;
}

/**
 * Sends a request for each payload.
 *
 * @param core - What the calls of the client share.
 * @param args - What the caller gave, unchecked.
 * @returns What the requests brought, in order.
 * @throws {@link PerformanceClientError} of any kind.
 */
export async function batchPost(
  core: ClientCore,
  args: BatchPostArguments,
): Promise<BatchPostResponse> {
  const { path, label } = args;
  if (!Array.isArray(args.payloads)) throw invalid(`${label} must be a list`);
  const payloads = args.payloads as unknown[];
  if (payloads.length === 0) throw invalid(`${label} list cannot be empty`);
  const method = checkMethod(args.method);
  if (typeof path !== 'string') throw invalid('url_path must be a string');
  const settings = checkSettings(args.options);
  const { parts, info } = await runCall<{ readonly value: unknown }>(core, {
    name: 'perfclient.batch_post',
    method,
    path: normalizePath(path),
    settings,
    model: null,
    codec: () => ({
      batches: singleBatches(payloads.length),
      bodyOf: ({ start }) => (hasBody(method) ? serialize(payloads[start], start) : null),
      read: (reply) => {
        if (UNREAD.has(method)) return { value: {} };
        const body = decodeBody(reply.body, reply, core.maxAnswerBytes);
        return { value: answerValue(body, reply.headers, 'array') };
      },
    }),
  });
  return { data: parts.map(({ part }) => part.value), ...info };
}

function checkMethod(method: unknown): HttpMethod {
  if (method === undefined || method === null) return 'POST';
  const known = HTTP_METHODS.find((one) => one === method);
  if (known) return known;
  throw invalid(
    `Invalid HTTP method '${textOf(method)}'. Supported methods: ${HTTP_METHODS.join(', ')}`,
  );
}

function serialize(payload: unknown, index: number): string {
  try {
    // Gives `undefined` for what isn't a value, whatever its type says.
    const text = JSON.stringify(payload) as string | undefined;
    if (text === undefined) throw new Error(`${typeof payload} is not a JSON value`);
    return text;
  } catch (cause) {
    const message = `Failed to serialize payload at index ${index}: ${textOf(cause)}`;
    throw new PerformanceClientError('serialization', message, { cause });
  }
}
