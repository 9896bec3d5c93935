import { MAX_BODY_BYTES, MAX_PADDED_BYTES } from '../../limits/constants.ts';
import type { WireValue } from '../../formats/wire.ts';
import type { ModelStatus, Servable } from '../../graph/servable.ts';
import { readyServable } from '../servable.ts';
import type { Route } from '../route.ts';

/** The models that can be sent requests, or one of them: OpenAI's objects, with the limits of a request. */
export const models: Route = {
  method: 'get',
  paths: ['/v3/models/*', '/v1/models/*', '/models/*'],
  isInference: false,
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
  const { limits, dimensions, name, task } = servable;
  return [
    {
      id: name,
      object: 'model',
      created: status.created,
      owned_by: 'tensorgate',
      type: task,
      dimensions,
      limits: {
        max_body_bytes: MAX_BODY_BYTES,
        max_batch_size: limits.maxBatchSize,
        max_padded_bytes: MAX_PADDED_BYTES,
        context_length: limits.contextLength,
      },
    },
  ];
}
