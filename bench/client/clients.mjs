// One client in its own process: warms up, measures, prints a line of JSON. Argument: the job.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const job = JSON.parse(process.argv[2]);
const { url, client, texts, inFlight, requests, requestsOfCall } = job;
const INPUT = Array.from({ length: texts * requestsOfCall }, () => 'Hello world');

/** Each gives a function that sends a call, and resolves to the ms of each of its requests. */
const CLIENTS = {
  'ours, MessagePack': () => ours({}),
  'ours, MessagePack to Float32Array': () => ours({ vectors: 'float32' }),
  'ours, JSON': () => ours({ extraHeaders: { accept: 'application/json' } }),
  'ours, HTTP/2': () => ours({}, 2),
  'npm 0.0.10': nativePackage,
  'fetch loop': fetchLoop,
};

async function ours(preference, httpVersion = 1) {
  const { PerformanceClient } = await import('../../dist/client-bundle/client.js');
  const made = new PerformanceClient(url, { apiKey: 'key', httpVersion });
  const options = {
    batchSize: texts,
    maxConcurrentRequests: inFlight,
    maxCharsPerRequest: 1_048_576,
    ...preference,
  };
  return async () => {
    const response = await made.embed(INPUT, 'm', null, null, null, options);
    return response.individual_request_times.map((seconds) => seconds * 1000);
  };
}

function nativePackage() {
  const { PerformanceClient } = createRequire(job.npmClients)('@basetenlabs/performance-client');
  const made = new PerformanceClient(url, 'key');
  return async () => {
    const response = await made.embed(INPUT, 'm', null, null, null, inFlight, texts, 3600, 256_000);
    return response.individual_request_times.map((seconds) => seconds * 1000);
  };
}

/** What people write by hand: as many loops as requests may be open, over the platform's fetch. */
function fetchLoop() {
  const body = JSON.stringify({ input: INPUT.slice(0, texts), model: 'm' });
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
  return async () => {
    const times = [];
    const results = [];
    let next = 0;
    async function loop() {
      while (next < requestsOfCall) {
        const at = next++;
        const startMs = performance.now();
        const init = { method: 'POST', headers, body };
        const response = await globalThis.fetch(`${url}/v1/embeddings`, init);
        results[at] = await response.json();
        times[at] = performance.now() - startMs;
      }
    }
    await Promise.all(Array.from({ length: Math.min(inFlight, requestsOfCall) }, loop));
    return times;
  };
}

const send = await CLIENTS[client]();
await send();
const times = [];
const usage = process.cpuUsage();
const startMs = performance.now();
while (times.length < requests) times.push(...(await send()));
const seconds = (performance.now() - startMs) / 1000;
const { user, system } = process.cpuUsage(usage);
const { maxRSS } = process.resourceUsage();
times.sort((one, other) => one - other);
const line = {
  requestsPerS: times.length / seconds,
  cpuUs: (user + system) / times.length,
  p50Ms: times[Math.floor(times.length * 0.5)],
  p99Ms: times[Math.floor(times.length * 0.99)],
  rssMb: maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(line)}\n`, () => process.exit(0));
