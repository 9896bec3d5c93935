import type { ModelState, ModelStatus } from '../../graph/servable.ts';
import type { Route } from '../route.ts';

/** States of models as OVMS names them; a failed one stays at loading, with an error. */
const OVMS_STATES = {
  loading: { state: 'LOADING', error_code: 'OK' },
  ready: { state: 'AVAILABLE', error_code: 'OK' },
  failed: { state: 'LOADING', error_code: 'UNKNOWN' },
} as const satisfies Record<ModelState, object>;

const STATUS_SCHEMA = {
  type: 'object',
  required: ['version', 'state', 'status'],
  properties: {
    version: { const: '1' },
    state: { enum: ['LOADING', 'AVAILABLE'] },
    status: {
      type: 'object',
      required: ['error_code', 'error_message'],
      properties: { error_code: { enum: ['OK', 'UNKNOWN'] }, error_message: { type: 'string' } },
    },
  },
} as const;

/** JSON schema of the status of all models, by name. */
export const CONFIG_STATUS_SCHEMA = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['model_version_status'],
    properties: {
      model_version_status: { type: 'array', minItems: 1, maxItems: 1, items: STATUS_SCHEMA },
    },
  },
} as const;

/** The status of every configured model, in the shape of OVMS. */
export const config: Route = {
  method: 'get',
  paths: ['/v1/config'],
  isInference: false,
  operations: [{ summary: 'Status of every configured model', answer: CONFIG_STATUS_SCHEMA }],
  handle: ({ models }) => ({
    body: () =>
      Object.fromEntries(
        models.list().map((status) => [status.name, { model_version_status: [statusOf(status)] }]),
      ),
  }),
};

function statusOf({ state, reason }: ModelStatus) {
  const { state: name, error_code } = OVMS_STATES[state];
  return { version: '1', state: name, status: { error_code, error_message: reason ?? error_code } };
}
