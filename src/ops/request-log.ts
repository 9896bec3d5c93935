import { CHANNELS } from './channels.ts';
import type { RequestEvent } from './channels.ts';
import type { Log, LogFields, LogLevel } from './logger.ts';
import type { Stages, StageLog } from './stages.ts';

/** Routes that machines ask all the time: told at DEBUG when all is well. */
const PROBES: ReadonlySet<string | null> = new Set([
  '/v2/health/live',
  '/v2/health/ready',
  '/metrics',
]);

/**
 * Writes a line to the log for each request of this process that is over: never its texts, its
 * headers or its path.
 *
 * @param log - Gets the lines.
 * @param stages - Knows what the stages told.
 * @returns Ends it.
 */
export function logRequests(log: Log, stages: StageLog): () => void {
  return CHANNELS.request.subscribe((event) => {
    log(levelOf(event), 'Request', fieldsOf(event, stages.of(event.request)));
  });
}

function levelOf({ route, status }: RequestEvent): LogLevel {
  if (status === 500) return 'ERROR';
  return status === 200 && PROBES.has(route) ? 'DEBUG' : 'INFO';
}

function fieldsOf(event: RequestEvent, { tokenize, queue, batches }: Stages): LogFields {
  const { request, method, route, model, status, code } = event;
  const fields = { id: request.id, method, route, model, status, code, total_ms: msOf(event) };
  if (tokenize === null) return fields;
  const { inputs, tokens } = tokenize;
  const last = batches.at(-1);
  const isRun = queue !== null && last !== undefined;
  return {
    ...fields,
    inputs,
    tokens,
    tokenize_ms: msOf(tokenize),
    queue_ms: queue === null ? null : msOf(queue),
    inference_ms: isRun ? msOf({ startMs: queue.endMs, endMs: last.endMs }) : null,
  };
}

function msOf({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): number {
  return Math.round((endMs - startMs) * 100) / 100;
}
