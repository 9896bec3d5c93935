import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ENCODINGS } from '../../src/formats/encodings/index.ts';
import { ROUTES } from '../../src/http/routes/index.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/http-api.md'), 'utf8');

interface BodySchema {
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
  readonly required?: readonly string[];
}

/** The first path of each route that takes a body, with the schema that checks it. */
const BODIES = ROUTES.flatMap(({ paths, operations }): [string, object][] => {
  const { body } = operations[0] ?? {};
  return body === undefined ? [] : [[paths[0] ?? '', body]];
});

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

  test.each(BODIES)('has a row for every field of POST %s, and no other', (path, schema) => {
    const [, after = ''] = PAGE.split(`<!-- fields POST ${path} -->\n`);
    const [table = ''] = after.split(/\n(?!\|)/);
    const lines = table.split('\n').slice(2);
    const { properties, required = [] } = schema as BodySchema;
    expect(lines).toEqual(
      Object.entries(properties).map(
        ([field, { description }]) =>
          `| \`${field}\` | ${required.includes(field) ? 'yes' : 'no'} | ${description} |`,
      ),
    );
  });

  test('has no table of fields for what there is not', () => {
    const tables = Array.from(PAGE.matchAll(/^<!-- fields POST (\S+) -->$/gm), ([, path]) => path);
    expect(tables).toEqual(BODIES.map(([path]) => path));
  });

  test('explains every encoding', () => {
    for (const name of Object.keys(ENCODINGS))
      expect(PAGE).toMatch(new RegExp(`^- \`${name}\``, 'm'));
  });
});
