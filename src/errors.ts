/** What HTTP makes of each error code; `type` follows OpenAI's error objects. */
export const ERRORS = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_field: { status: 400, type: 'invalid_request_error' },
  wrong_node_type: { status: 400, type: 'invalid_request_error' },
  batch_too_large: { status: 400, type: 'invalid_request_error' },
  tensor_too_large: { status: 400, type: 'invalid_request_error' },
  input_too_long: { status: 400, type: 'invalid_request_error' },
  answer_too_large: { status: 400, type: 'invalid_request_error' },
  bad_request: { status: 400, type: 'invalid_request_error' },
  unauthorized: { status: 401, type: 'authentication_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  expectation_failed: { status: 417, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  overloaded: { status: 429, type: 'rate_limit_error' },
  client_closed: { status: 499, type: 'invalid_request_error' },
  inference_failed: { status: 500, type: 'server_error' },
  internal_error: { status: 500, type: 'server_error' },
  model_loading: { status: 503, type: 'server_error' },
  shutting_down: { status: 503, type: 'server_error' },
  deadline_exceeded: { status: 504, type: 'server_error' },
} as const satisfies Record<string, { readonly status: number; readonly type: string }>;

/** A code of {@link ERRORS}, as sent in `error.code`. */
export type ErrorCode = keyof typeof ERRORS;

/** What else is known of an error. */
export interface ServeErrorOptions {
  /** The request field at fault, as the client wrote it. */
  readonly param?: string;
  /** The error of a library that led to this one. */
  readonly cause?: unknown;
  /** When to try again, in whole seconds, for `Retry-After`; by default as the code has it. */
  readonly retryAfterS?: number;
}

/** A fault that a client is told of: its message is sent as it is, so it names no file and no input. */
export class ServeError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  /** Whole seconds; null: as the code has it. */
  readonly retryAfterS: number | null;

  constructor(code: ErrorCode, message: string, options: ServeErrorOptions = {}) {
    const { param, cause, retryAfterS } = options;
    super(message, cause === undefined ? {} : { cause });
    this.name = 'ServeError';
    this.retryAfterS = retryAfterS ?? null;
    this.code = code;
    this.param = param ?? null;
  }
}

/** Exit codes of faults that stop the start, by kind. Source: BSD sysexits.h. */
export const EXIT_CODES = { usage: 64, unavailable: 69, io: 74, config: 78 } as const;

/** A kind of fault that stops the start. */
export type StartFault = keyof typeof EXIT_CODES;

/**
 * A fault that an operator is told of on stderr, and that stops the start: one line for each fault, also where a
 * library's message, such as that of `JSON.parse`, quotes lines.
 */
export class StartError extends Error {
  readonly fault: StartFault;

  constructor(fault: StartFault, message: string, cause?: unknown) {
    super(message.replaceAll(/\s*[\r\n]\s*/g, ' '), cause === undefined ? {} : { cause });
    this.name = 'StartError';
    this.fault = fault;
  }
}

/** What codes of `node:fs` and of a strict `TextDecoder` mean. */
const FILE_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EROFS', 'the file system is read-only'],
  ['ELOOP', 'its symbolic links go in a circle'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'the text is not UTF-8'],
]);

/**
 * Why a file can't be used, in words.
 *
 * @param error - What `node:fs`, or a strict `TextDecoder`, threw.
 * @returns Such as `no such file or folder`; no path in it.
 */
export function fileFault(error: unknown): string {
  const { code = 'unknown error' } = error as { readonly code?: string };
  return FILE_FAULTS.get(code) ?? code;
}
