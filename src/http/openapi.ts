import { ERRORS, type ErrorCode } from '../errors.ts';
import { WIRES } from '../formats/wires/index.ts';
import type { Operation, Route } from './route.ts';

/** What stands in the document beside the routes. */
export interface OpenapiOptions {
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
}

/** Errors of every route. */
const COMMON_ERRORS: readonly ErrorCode[] = ['bad_request', 'internal_error'];

/** Errors of every route that takes a body. */
const BODY_ERRORS: readonly ErrorCode[] = [
  ...(['invalid_json', 'request_timeout', 'body_too_large', 'unsupported_media_type'] as const),
  'shutting_down',
];

/** Errors of every inference route. */
const INFERENCE_ERRORS: readonly ErrorCode[] = [
  ...(['invalid_field', 'model_not_found', 'wrong_node_type', 'model_loading'] as const),
  ...(['batch_too_large', 'tensor_too_large', 'input_too_long', 'overloaded'] as const),
  ...(['inference_failed', 'deadline_exceeded'] as const),
];

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { enum: Object.keys(ERRORS) },
      },
    },
  },
};

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Describes routes as an OpenAPI 3.1 document, by the schemas that check their bodies.
 *
 * @param routes - A route that ends in `/*` has a path for each of its operations.
 * @param options - What stands beside them.
 * @returns The document, as JSON.
 */
export function openapiDocument(routes: readonly Route[], { version }: OpenapiOptions): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    for (const operation of route.operations) {
      for (const open of route.paths) {
        const path = `${open.replace(/\/\*$/, '')}${operation.suffix ?? ''}`;
        paths[path] = { ...paths[path], [route.method]: describe(route, operation, path) };
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'tensorgate',
      version,
      description: 'A model server for text embeddings.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: { Error: ERROR_SCHEMA } },
  };
}

function describe(route: Route, operation: Operation, path: string): JsonObject {
  const { summary, body } = operation;
  return {
    operationId: `${route.method}${path.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    parameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: plain(body) } } },
    }),
    responses: { 200: success(route, operation), ...failures(route, operation) },
  };
}

function success({ isInference }: Route, { answer }: Operation): JsonObject {
  if (typeof answer === 'string') return { description: 'A file', content: { [answer]: {} } };
  const types = (isInference ? WIRES : WIRES.slice(0, 1)).flatMap(({ mediaTypes }) => mediaTypes);
  const schema = plain(answer);
  return {
    description: 'The answer',
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

// A response for each status, which lists its codes.
function failures({ isInference, method }: Route, { errors = [] }: Operation): JsonObject {
  const codes = new Set([
    ...COMMON_ERRORS,
    ...(method === 'post' ? BODY_ERRORS : []),
    ...(isInference ? INFERENCE_ERRORS : []),
    ...errors,
  ]);
  const responses: Record<string, JsonObject> = {};
  for (const code of codes) {
    const { status } = ERRORS[code];
    const before = responses[status]?.['description'];
    responses[status] = {
      description: typeof before === 'string' ? `${before}, ${code}` : code,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

// A schema without our own keyword `reason`, which holds text; a property of that name holds a schema.
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries
      .filter(([key, value]) => key !== 'reason' || typeof value !== 'string')
      .map(([key, value]) => [key, plain(value)]),
  );
}
