import type { EmbeddingsServable, EmbedOptions, EmbedResult } from '../graph/servable.ts';
import { admit } from '../limits/admit.ts';
import type { EmbeddingsCall, EmbeddingsReply } from '../protocol/embeddings-call.ts';
import type { Route, RouteContext } from './route.ts';

/** What routes that embed differ in. */
export interface EmbedRoute {
  readonly output: EmbedOptions['output'];
  /** @throws `ServeError` `invalid_field`. */
  readonly parse: (body: unknown) => EmbeddingsCall;
  /** @throws `ServeError` for what the model can't give. */
  readonly check: (call: EmbeddingsCall, model: EmbeddingsServable) => void;
  readonly reply: (call: EmbeddingsCall, result: EmbedResult, model: string) => EmbeddingsReply;
}

/**
 * Makes the handler of a route that embeds: parse, model, limits, embeddings, reply.
 *
 * @param route - What is its own.
 * @returns What the route has as `handle`.
 */
export function embedHandler({ output, parse, check, reply }: EmbedRoute): Route['handle'] {
  return async ({ body, scope, servable }: RouteContext) => {
    const call = parse(body);
    const model = servable('embeddings', call.model);
    check(call, model);
    const batch = admit(call, model.limits);
    const result = await model.embed(batch, { ...optionsOf(call), output, scope });
    return reply(call, result, model.name);
  };
}

// What the client left to the configuration stays out.
function optionsOf(call: EmbeddingsCall): Omit<EmbedOptions, 'output' | 'scope'> {
  const { param, truncate, side, normalize, dimensions } = call;
  return {
    param,
    ...(truncate !== null && { truncate }),
    ...(side !== null && { side }),
    ...(normalize !== null && { normalize }),
    ...(dimensions !== null && { dimensions }),
  };
}
