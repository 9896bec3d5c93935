import { ServeError } from '../errors.ts';

/** Media types that a body of JSON comes with: JSON's own, and those that plain tools send for any text. */
const ACCEPTED: ReadonlySet<string> = new Set([
  ...['application/json', 'text/json', 'application/x-json'],
  ...['text/plain', 'application/x-www-form-urlencoded'],
]);

const JSON_SUFFIX = /^[a-z]+\/[^\s/]+\+json$/;

const UTF8 = /^["']?utf[-_]?8["']?$/;

const MAX_QUOTED_CHARACTERS = 100;

/**
 * Checks that a body can be JSON in UTF-8, by its `Content-Type`.
 *
 * @param header - The header's value; absent and empty are fine.
 * @throws {@link ServeError} `unsupported_media_type`: names the header and what it may be.
 */
export function requireJsonType(header: string | undefined): void {
  if (header === undefined || header === 'application/json') return;
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== '' && !ACCEPTED.has(type) && !JSON_SUFFIX.test(type)) {
    throw unsupported(header, 'application/json');
  }
  const charset = parameters.find((parameter) => /^charset\s*=/.test(parameter));
  if (charset !== undefined && !UTF8.test(charset.slice(charset.indexOf('=') + 1).trim())) {
    throw unsupported(header, 'charset=utf-8');
  }
}

function unsupported(header: string, expected: string): ServeError {
  const quoted = JSON.stringify(header.slice(0, MAX_QUOTED_CHARACTERS));
  return new ServeError(
    'unsupported_media_type',
    `Cannot read a body with the header Content-Type: ${quoted}: send JSON as UTF-8, with ${expected}`,
  );
}
