/**
 * What a small request costs those who watch: metrics, the request log and traces, each alone. A request tells
 * of its tokens, its wait, its batch and its end, as the stages do.
 */
import { openSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { CHANNELS } from '../../dist/ops/channels.js';
import { openLog } from '../../dist/ops/logger.js';
import { openMetrics } from '../../dist/ops/prometheus.js';
import { logRequests } from '../../dist/ops/request-log.js';
import { StageLog } from '../../dist/ops/stages.js';
import { startTracing } from '../../dist/ops/tracing.js';
import { median } from '../http/statistics.mjs';

/** Between two turns of the event loop. */
const REQUESTS = 4;
const ROUNDS = 15;
const TURNS = 500;

const model = 'sentence-transformers/all-MiniLM-L6-v2';
const span = { startMs: 1, endMs: 3 };

function tell() {
  for (let at = 0; at < REQUESTS; at++) {
    const request = { id: `1f2e3d4c5b-${at}` };
    const { tokenize, queue, batch } = CHANNELS;
    if (tokenize.hasSubscribers)
      tokenize.publish({ request, model, inputs: 1, tokens: 12, ...span });
    if (queue.hasSubscribers) queue.publish({ request, model, ...span });
    if (batch.hasSubscribers) {
      const counts = { rows: 1, tokens: 12, paddedTokens: 12, runMs: 2 };
      batch.publish({ model, requests: [request], ...counts, ...span });
    }
    if (CHANNELS.request.hasSubscribers) {
      CHANNELS.request.publish({
        request,
        method: 'POST',
        route: '/v3/embeddings',
        isInference: true,
        model,
        status: 200,
        code: null,
        traceparent: undefined,
        tracestate: undefined,
        ...span,
      });
    }
  }
}

/** Turns belong to a server's life: in them the log is written and spans are sent. */
async function measure(title) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    let ms = 0;
    for (let done = 0; done < TURNS; done++) {
      const start = performance.now();
      tell();
      ms += performance.now() - start;
      await turn();
    }
    rounds.push((ms * 1000) / (TURNS * REQUESTS));
  }
  const [best, middle] = [Math.min(...rounds), median(rounds)].map((us) => us.toFixed(2));
  console.log(`${title.padEnd(16)} best ${best} µs a request, median ${middle} µs`);
}

await measure('nobody listens');

const { close } = openMetrics({
  version: '0.0.0',
  openRequests: () => 0,
  models: () => [],
  loads: () => [],
});
await measure('metrics');
close();

const { log, close: closeLog } = openLog({
  level: 'INFO',
  fd: openSync('/dev/null', 'w'),
  isTerminal: false,
});
const stages = new StageLog();
const endLog = logRequests(log, stages);
await measure('request log');
endLog();

// Nothing listens on this port: spans are made, and dropped when the queue of the exporter is full.
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const endTracing = await startTracing({ env, version: '0.0.0', stages, log: () => undefined });
await measure('traces');
stages.close();
await endTracing();
await closeLog();
process.exit();
