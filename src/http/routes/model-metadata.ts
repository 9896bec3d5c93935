import { ServeError } from '../../errors.ts';
import type { Models, Servable } from '../../graph/servable.ts';
import type { Route, RouteReply } from '../route.ts';
import { readyServable } from '../servable.ts';

const READY = '/ready';

const PART_SCHEMA = {
  type: 'object',
  required: ['name', 'datatype', 'shape'],
  properties: {
    name: { type: 'string' },
    datatype: { type: 'string' },
    shape: { type: 'array', items: { type: 'integer' } },
  },
} as const;

const METADATA_SCHEMA = {
  type: 'object',
  required: ['name', 'versions', 'platform', 'inputs', 'outputs'],
  properties: {
    name: { type: 'string' },
    versions: { type: 'array', items: { type: 'string' } },
    platform: { type: 'string' },
    inputs: { type: 'array', items: PART_SCHEMA },
    outputs: { type: 'array', items: PART_SCHEMA },
  },
} as const;

const READINESS_SCHEMA = {
  type: 'object',
  required: ['name', 'ready'],
  properties: { name: { type: 'string' }, ready: { const: true } },
} as const;

/** A model in the shape of KServe v2, or with `/ready` behind it whether it can be sent requests. */
export const modelMetadata: Route = {
  method: 'get',
  paths: ['/v2/models/*'],
  isInference: false,
  operations: [
    {
      suffix: '/{model}',
      summary: 'A model, as KServe v2 has it',
      answer: METADATA_SCHEMA,
      errors: ['model_not_found', 'model_loading'],
    },
    {
      suffix: '/{model}/ready',
      summary: 'Whether a model can be sent requests',
      answer: READINESS_SCHEMA,
      errors: ['model_not_found', 'model_loading'],
    },
  ],
  handle({ models, rest }) {
    if (rest === '') {
      throw new ServeError(
        'not_found',
        'Cannot answer /v2/models without a name: it is /v2/models/{name}, and /v3/models lists all',
      );
    }
    // A name may hold slashes, and so may end in /ready itself.
    return rest.endsWith(READY) && models.find(rest) === undefined
      ? readiness(models, rest.slice(0, -READY.length))
      : metadata(readyServable(models, rest));
  },
};

function readiness(models: Models, name: string): RouteReply {
  readyServable(models, name);
  return { body: () => ({ name, ready: true }) };
}

function metadata({ name, facts: { output } }: Servable): RouteReply {
  return {
    body: () => ({
      name,
      versions: ['1'],
      platform: 'onnxruntime_onnx',
      inputs: [{ name: 'input', datatype: 'BYTES', shape: [-1] }],
      outputs: [{ name: output.name, datatype: 'FP32', shape: [-1, ...output.shape] }],
    }),
  };
}
