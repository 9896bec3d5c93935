import type { Route } from '../route.ts';

/** Whether the process answers at all. */
export const live: Route = {
  method: 'get',
  paths: ['/v2/health/live'],
  isInference: false,
  operations: [{ summary: 'Whether the process answers', answer: flag('live') }],
  handle: () => ({ body: () => ({ live: true }) }),
};

/** Whether the server should be sent requests: 503 while a model loads, after one failed, and when draining. */
export const ready: Route = {
  method: 'get',
  paths: ['/v2/health/ready', '/health'],
  isInference: false,
  operations: [
    {
      summary: 'Whether the server should be sent requests',
      answer: flag('ready'),
      errors: ['model_loading', 'shutting_down'],
    },
  ],
  handle({ unreadiness }) {
    const reason = unreadiness();
    if (reason !== null) throw reason;
    return { body: () => ({ ready: true }) };
  },
};

function flag(name: string): object {
  return { type: 'object', required: [name], properties: { [name]: { const: true } } };
}
