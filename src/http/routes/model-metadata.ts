import { ServeError } from '../../errors.ts';
import type { Models, Servable } from '../../graph/servable.ts';
import type { Route, RouteReply } from '../route.ts';
import { readyServable } from '../servable.ts';

const READY = '/ready';

/** A model in the shape of KServe v2, or with `/ready` behind it whether it can be sent requests. */
export const modelMetadata: Route = {
  method: 'get',
  paths: ['/v2/models/*'],
  isInference: false,
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

function metadata({ name, dimensions }: Servable): RouteReply {
  return {
    body: () => ({
      name,
      versions: ['1'],
      platform: 'onnxruntime_onnx',
      inputs: [{ name: 'input', datatype: 'BYTES', shape: [-1] }],
      outputs: [{ name: 'embedding', datatype: 'FP32', shape: [-1, dimensions] }],
    }),
  };
}
