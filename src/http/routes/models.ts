import { MAX_BODY_BYTES, MAX_PADDED_BYTES } from '../../limits/constants.ts';
import type { WireValue } from '../../formats/wire.ts';
import type { ModelStatus, Servable } from '../../graph/servable.ts';
import { readyServable } from '../servable.ts';
import type { Route } from '../route.ts';

const MODEL_SCHEMA = {
  type: 'object',
  required: ['id', 'object', 'created', 'owned_by', 'type', 'limits'],
  properties: {
    id: { type: 'string' },
    object: { const: 'model' },
    created: { type: 'integer' },
    owned_by: { type: 'string' },
    type: { type: 'string' },
    dimensions: { type: 'integer', description: 'Of type embeddings: size of an embedding.' },
    scoring: {
      enum: ['logits', 'cosine'],
      description: 'Of type rerank: whether query and document are read together, or embedded.',
    },
    labels: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of type classify: all labels.',
    },
    limits: {
      type: 'object',
      required: ['max_body_bytes', 'max_batch_size', 'max_padded_bytes', 'context_length'],
      properties: {
        max_body_bytes: { type: 'integer' },
        max_batch_size: { type: 'integer' },
        max_padded_bytes: { type: 'integer' },
        context_length: { type: 'integer' },
      },
    },
  },
} as const;

const LIST_SCHEMA = {
  type: 'object',
  required: ['object', 'data'],
  properties: { object: { const: 'list' }, data: { type: 'array', items: MODEL_SCHEMA } },
} as const;

/** The models that can be sent requests, or one of them: OpenAI's objects, with the limits of a request. */
export const models: Route = {
  method: 'get',
  paths: ['/v3/models/*', '/v1/models/*', '/models/*'],
  isInference: false,
  operations: [
    { suffix: '', summary: 'The models that can be sent requests', answer: LIST_SCHEMA },
    {
      suffix: '/{model}',
      summary: 'A model',
      answer: MODEL_SCHEMA,
      errors: ['model_not_found', 'model_loading'],
    },
  ],
  handle({ models: served, rest }) {
    if (rest === '') {
      const data = served.list().flatMap((status) => objectOf(status, status.servable));
      return { body: () => ({ object: 'list', data }) };
    }
    const servable = readyServable(served, rest);
    const [object = null] = objectOf(served.find(rest), servable);
    return { body: () => object };
  },
};

// None for a model that isn't ready: what is listed can be sent as `model`.
function objectOf(status: ModelStatus | undefined, servable: Servable | null): WireValue[] {
  if (status === undefined || servable === null) return [];
  const { limits, facts, name, task } = servable;
  return [
    {
      id: name,
      object: 'model',
      created: status.created,
      owned_by: 'tensorgate',
      type: task,
      ...facts.fields,
      limits: {
        max_body_bytes: MAX_BODY_BYTES,
        max_batch_size: limits.maxBatchSize,
        max_padded_bytes: MAX_PADDED_BYTES,
        context_length: limits.contextLength,
      },
    },
  ];
}
