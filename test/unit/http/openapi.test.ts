import { Validator } from '@seriousme/openapi-schema-validator';
import { openapiDocument } from '../../../src/http/openapi.ts';
import type { Route } from '../../../src/http/route.ts';
import { ROUTES } from '../../../src/http/routes/index.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: object }>
  >;
}

function describeRoutes(routes: readonly Route[]): {
  document: Readonly<Record<string, unknown>>;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
} {
  const document = openapiDocument(routes, { version: '1.2.3' });
  return { document, paths: document['paths'] as never };
}

const { document, paths } = describeRoutes(ROUTES);

describe('openapiDocument()', () => {
  test('is OpenAPI 3.1, by its schema', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has every route, and no other', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace(/(?<=.)\/\{.*$/, '')}`),
    );
    const mounted = ROUTES.flatMap(({ method, paths: all }) =>
      all.map((path) => `${method} ${path.replace(/\/\*$/, '')}`),
    );
    expect([...new Set(described)].sort()).toEqual([...new Set(mounted)].sort());
  });

  test('has the schema that checks a body, without what only we read', () => {
    for (const { paths: all, operations } of ROUTES.filter(({ method }) => method === 'post')) {
      const [operation] = operations;
      const without = JSON.parse(
        JSON.stringify(operation?.body, (key, value: unknown) =>
          key === 'reason' ? undefined : value,
        ),
      ) as object;
      for (const path of all) {
        const { content } = paths[path]?.['post']?.requestBody ?? { content: {} };
        expect(content['application/json']?.schema).toEqual(without);
      }
    }
  });

  test('has operation ids once, and all parameters of a path', () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('postV1Embeddings');
    for (const { path, parameters } of operations) {
      expect(parameters.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  function responsesOf(path: string): Operation['responses'] {
    return paths[path]?.['post']?.responses ?? {};
  }

  test('lists the codes of each status', () => {
    const responses = responsesOf('/embed_all');
    expect(responses['400']?.description).toMatch(
      /invalid_json.*batch_too_large.*answer_too_large/,
    );
    expect(responses['413']?.description).toBe('body_too_large');
    expect(responsesOf('/embed')['400']?.description).not.toContain('answer_too');
    expect(responses['200']?.content).toHaveProperty(['application/json']);
  });

  test('keeps a property that is called reason', () => {
    const body = { type: 'object', properties: { reason: { type: 'string', reason: 'told' } } };
    const routes = ROUTES.slice(0, 1).map((route) => ({
      ...route,
      operations: [{ summary: 's', body, answer: {} }],
    }));
    const { content } = describeRoutes(routes).paths['/v3/embeddings']?.['post']?.requestBody ?? {
      content: {},
    };
    expect(content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { reason: { type: 'string' } },
    });
  });
});
