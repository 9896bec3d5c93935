import { ServeError } from '../../errors.ts';
import type { Route } from '../route.ts';

/** What is counted and measured, for Prometheus. */
export const metrics: Route = {
  method: 'get',
  paths: ['/metrics'],
  isInference: false,
  operations: [{ summary: 'Metrics for Prometheus', answer: 'text/plain', errors: ['not_found'] }],
  async handle({ metrics: read }) {
    if (read === null) {
      throw new ServeError(
        'not_found',
        'Cannot give metrics: they are switched off; metrics_enable in config.yaml or --metrics_enable true switches them on',
      );
    }
    const { contentType, text } = await read();
    return { headers: { 'content-type': contentType }, bytes: Buffer.from(text) };
  },
};
