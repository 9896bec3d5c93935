import { serverErrorOf } from './server-error.ts';
import { reasonOf } from './status-reasons.ts';

/** What went wrong; `invalid_parameter` is the only kind with the code `InvalidArg`. */
export type ErrorKind =
  | 'invalid_parameter'
  | 'http'
  | 'connect'
  | 'network'
  | 'local_timeout'
  | 'remote_timeout'
  | 'serialization'
  | 'cancelled';

/** Longest part of an answer that an error keeps, in characters. */
export const MAX_ERROR_BODY_CHARS = 65_536;

/** Facts of an error that are known where it is made. */
export interface ErrorFacts {
  readonly cause?: unknown;
  readonly status?: number;
  readonly body?: string;
}

/** The only error that calls of the client reject with, and its constructors throw. */
export class PerformanceClientError extends Error {
  /** `InvalidArg` exactly for kind `invalid_parameter`; both codes are those of the native package. */
  readonly code: 'InvalidArg' | 'GenericFailure';
  readonly kind: ErrorKind;
  /** HTTP status; kind `http` only, as are `body`, `serverMessage` and `serverCode`. */
  declare readonly status?: number;
  /** Text of the answer, at most 65,536 characters. */
  declare readonly body?: string;
  /** Message that the body carries, in whichever of the usual envelopes. */
  declare readonly serverMessage?: string;
  /** Code or type that the body carries. */
  declare readonly serverCode?: string;
  /** Id that the failed request was sent with. */
  declare customerRequestId?: string;
  /** Number of the failed batch, from 0. */
  declare batchIndex?: number;
  /** Attempts that were made for the batch, hedges not counted. */
  declare attempts?: number;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.name = 'PerformanceClientError';
    this.kind = kind;
    this.code = kind === 'invalid_parameter' ? 'InvalidArg' : 'GenericFailure';
    if (facts.status !== undefined) this.status = facts.status;
    if (facts.body === undefined) return;
    this.body = facts.body;
    const { message: text, code } = serverErrorOf(facts.body);
    if (text !== undefined) this.serverMessage = text;
    if (code !== undefined) this.serverCode = code;
  }
}

/**
 * Error for a bad argument.
 *
 * @param message - What is wrong, for the user.
 * @returns Of kind `invalid_parameter`.
 */
export function invalid(message: string): PerformanceClientError {
  return new PerformanceClientError('invalid_parameter', message);
}

/**
 * Error for an answer whose status is not 2xx; `text` is its body.
 *
 * @param status - Of the answer.
 * @param text - Characters to read.
 * @returns Of kind `http`, with what the body says.
 */
export function httpError(status: number, text: string): PerformanceClientError {
  const body = text.slice(0, MAX_ERROR_BODY_CHARS);
  const message = `API request failed with status ${status} ${reasonOf(status)}: ${body}`;
  return new PerformanceClientError('http', message, { status, body });
}

/**
 * Error for an answer that isn't what the call's answers look like.
 *
 * @param message - What is wrong, for the user.
 * @param cause - What was thrown.
 * @returns Of kind `serialization`.
 */
export function badAnswer(message: string, cause?: unknown): PerformanceClientError {
  const facts = cause === undefined ? {} : { cause };
  return new PerformanceClientError('serialization', message, facts);
}

/**
 * @param error - Why it failed.
 * @returns Short text of anything that was thrown.
 */
export function textOf(error: unknown): string {
  return error instanceof Error || isErrorLike(error) ? error.message : String(error);
}

function isErrorLike(value: unknown): value is { message: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
