import { requestId, type Attempt, type CallContext } from './call-context.ts';
import type { Headers, WireRequest } from './transport.ts';

/**
 * @param call - What its requests share.
 * @param attempt - Which one, and where it goes.
 * @returns The request of an attempt, with a fresh deadline.
 */
export function wireRequest(call: CallContext, attempt: Attempt): WireRequest {
  const headers: Headers = {
    ...call.headers,
    'x-baseten-customer-request-id': idOf(call, attempt),
    'request-timeout-ms': call.timeoutHeader,
    'request-deadline-ms': String(Date.now() + call.timeoutMs),
    ...call.extraHeaders,
  };
  const url = attempt.member.baseUrl + call.path;
  return { method: call.method, url, headers, body: attempt.request.body };
}

function idOf(call: CallContext, { request, retry, hedge }: Attempt): string {
  if (!call.settings.attemptIds) return requestId(call, request.index);
  const suffix = hedge === null ? String(retry) : `hedge-${hedge}`;
  return `${call.idBase}-${request.index}-${suffix}`;
}
