import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ENCODINGS } from '../../src/formats/encodings/index.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { EMBEDDINGS_SCHEMA } from '../../src/protocol/openai.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/http-api.md'), 'utf8');

describe('docs/http-api.md', () => {
  test('has a section for every route, and no other', () => {
    const sections = Array.from(
      PAGE.matchAll(/^## `(GET|POST) (\S+)`$/gm),
      ([, method, path]) => `${method ?? ''} ${path ?? ''}`,
    );
    const routes = ROUTES.flatMap(({ method, paths }) =>
      paths.map((path) => `${method.toUpperCase()} ${path}`),
    );
    expect(sections).toEqual(routes);
  });

  test('has a row for every field of POST /v3/embeddings, and no other', () => {
    const rows = Array.from(
      PAGE.matchAll(/^\| `(\w+)` \| (yes|no) \| (.+) \|$/gm),
      ([, field, required, value = '']) => [field, required, value.replace(/:? `.*$/, '.')],
    );
    const required: readonly string[] = EMBEDDINGS_SCHEMA.required;
    expect(rows).toEqual(
      Object.entries(EMBEDDINGS_SCHEMA.properties).map(([field, { description }]) => [
        field,
        required.includes(field) ? 'yes' : 'no',
        description,
      ]),
    );
  });

  test('explains every encoding', () => {
    for (const name of Object.keys(ENCODINGS))
      expect(PAGE).toMatch(new RegExp(`^- \`${name}\``, 'm'));
  });
});
