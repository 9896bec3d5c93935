/** What a server says about its refusal. */
export interface ServerError {
  readonly message?: string;
  readonly code?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Finds message and code in the body of an error answer. Understood are `{"error":"text"}`,
 * `{"error":{message,type,param,code}}`, `{"error","error_type"}`, `{"message"}` and
 * `{"detail"}`.
 *
 * @param body - Bytes of the answer.
 * @returns What it found; nothing for other bodies.
 */
export function serverErrorOf(body: string): ServerError {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {};
  }
  if (!isFields(value)) return {};
  const { error } = value;
  if (isFields(error)) return found(error['message'], error['code'] ?? error['type']);
  const message = error ?? value['message'] ?? value['detail'];
  return found(message, value['error_type'] ?? value['code'] ?? value['type']);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function found(message: unknown, code: unknown): ServerError {
  return {
    ...(message === undefined || message === null ? {} : { message: asText(message) }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
