import { ERRORS, type ErrorCode } from '../errors.ts';
import type { RequestEvent } from '../ops/channels.ts';
import type { Exchange } from './exchange.ts';

/**
 * What is told of a request that is over.
 *
 * @param exchange - Answered, or abandoned.
 * @returns The event, which ends now.
 */
export function requestEvent(exchange: Exchange): RequestEvent {
  const { request, response, route, model, code, startedMs } = exchange;
  const { traceparent, tracestate } = request.headers;
  return {
    request: exchange,
    method: request.method ?? '',
    route: route?.paths[0] ?? null,
    isInference: route?.isInference ?? false,
    model,
    status: code === null ? response.statusCode : ERRORS[code].status,
    code,
    traceparent: textOf(traceparent),
    tracestate: textOf(tracestate),
    startMs: startedMs,
    endMs: performance.now(),
  };
}

/**
 * What is told of something that came and was answered, but was no HTTP request.
 *
 * @param id - Of the answer.
 * @param code - Of the error answered.
 * @returns The event, which begins and ends now.
 */
export function bareEvent(id: string, code: ErrorCode): RequestEvent {
  const nowMs = performance.now();
  return {
    request: { id },
    method: '',
    route: null,
    isInference: false,
    model: null,
    status: ERRORS[code].status,
    code,
    traceparent: undefined,
    tracestate: undefined,
    startMs: nowMs,
    endMs: nowMs,
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header;
}
