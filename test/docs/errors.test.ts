import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERRORS } from '../../src/errors.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/errors.md'), 'utf8');

test('docs/errors.md has a row for every error as it is, and no other', () => {
  const rows = PAGE.matchAll(/^\| `(\w+)` \| (\d+) \| `(\w+)` \| (.+) \|$/gm);
  const documented = Array.from(rows, ([, code, status, type]) => [code, Number(status), type]);
  expect(documented).toEqual(
    Object.entries(ERRORS).map(([code, { status, type }]) => [code, status, type]),
  );
});
