import {
  ERRORS,
  EXIT_CODES,
  fileFault,
  ServeError,
  StartError,
  type ErrorCode,
} from '../../src/errors.ts';

/** Statuses with a type of their own. Source: the types of OpenAI's errors. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
]);

/** Codes that are no fault of the request, so that it may be sent again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'overloaded']);

/** Clients send a request again on these, so that a fault of the request itself has none of them. */
const RETRIED = new Set([408, 409, 429]);

describe('ERRORS', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])('%s has a status that fits its type', (code) => {
    const { status, type } = ERRORS[code];
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(type).toBe(
      TYPES.get(status) ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    );
    if (!PASSING.has(code)) expect(RETRIED).not.toContain(status);
  });
});

test('ServeError keeps code, field and cause', () => {
  const cause = new Error('library');
  const error = new ServeError('invalid_field', 'Cannot do it', { param: 'input', cause });
  expect(error).toMatchObject({ name: 'ServeError', code: 'invalid_field', param: 'input', cause });
  expect(new ServeError('not_found', 'Cannot find it')).toMatchObject({ param: null });
  expect('cause' in new ServeError('not_found', 'Cannot find it')).toBe(false);
});

test('StartError keeps its fault and cause', () => {
  const cause = new Error('library');
  expect(new StartError('config', 'line', cause)).toMatchObject({ fault: 'config', cause });
  expect('cause' in new StartError('usage', 'line')).toBe(false);
  expect(EXIT_CODES).toEqual({ usage: 64, unavailable: 69, io: 74, config: 78 });
});

test.each(['a b\n  c', 'a b\r\nc', 'a b \n\n c'])('StartError is one line: %j', (message) => {
  expect(new StartError('config', message).message).toBe('a b c');
});

describe('fileFault()', () => {
  test.each([
    [{ code: 'ENOENT' }, 'no such file or folder'],
    [{ code: 'EACCES' }, 'permission denied'],
    [{ code: 'EMFILE' }, 'EMFILE'],
    [{}, 'unknown error'],
  ])('puts %j in words', (error, reason) => {
    expect(fileFault(error)).toBe(reason);
  });
});
