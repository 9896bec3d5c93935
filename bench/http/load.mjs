/**
 * The load generator: sends a workload to one embeddings route and prints what it measured as a line of JSON.
 * A process of its own, so that its CPU time isn't the server's; it never parses a body while the clock runs.
 */
import { parseArgs } from 'node:util';
import { ClosedLoop } from './closed-loop.mjs';
import { Connection } from './connection.mjs';
import { cpuTimes } from './process-stats.mjs';
import { Requests } from './requests.mjs';
import { latencies, spansWithin, textsPerSecond } from './statistics.mjs';
import { workloadNamed } from './texts.mjs';
import { loopbackUrl } from './url.mjs';
import { verifiedAnswer } from './verify.mjs';

/** Requests that are checked whole before the clock runs. */
const VERIFIED_REQUESTS = 2;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string', default: 'sentence-transformers/all-MiniLM-L6-v2' },
    encoding: { type: 'string', default: 'base64' },
    workload: { type: 'string', default: 'query' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '0.5' },
    pid: { type: 'string' },
  },
});

/** Answers whose counts, order, dimensions and lengths are right, one by one. */
async function verify(requests, { url, texts, encoding }) {
  const connection = new Connection(url);
  connection.collect = true;
  await connection.open();
  const verified = [];
  for (let done = 0; done < VERIFIED_REQUESTS; done++) {
    const { status, body } = await answerTo(connection, requests.next());
    if (status !== 200) throw new Error(`${url}: ${status}: ${body.toString().slice(0, 300)}`);
    verified.push(verifiedAnswer(body, { texts, encoding }));
  }
  connection.close();
  const tokens = verified.reduce((sum, { promptTokens }) => sum + (promptTokens ?? NaN), 0);
  return {
    dimensions: verified[0].dimensions,
    tokensPerText: tokens / (VERIFIED_REQUESTS * texts),
  };
}

/** @returns {Promise<import('./response-reader.mjs').Answer>} */
function answerTo(connection, request) {
  return new Promise((resolve, reject) => {
    connection.send(request, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** CPU times so far: of the server's process, if it is known, and of this one. */
function sampleCpu() {
  const { user, system } = process.cpuUsage();
  const server = values.pid === undefined ? null : cpuTimes(Number(values.pid));
  return { ...server, loadMs: (user + system) / 1000 };
}

/** What a request cost in the window, in ms. */
function cpuPerRequest([before, after], requests) {
  function share(key) {
    return before[key] === undefined ? null : (after[key] - before[key]) / requests;
  }
  return {
    cpuMsPerRequest: share('processMs'),
    mainThreadMsPerRequest: share('mainThreadMs'),
    loadCpuMsPerRequest: share('loadMs'),
  };
}

function report(run, texts) {
  const { spans, window, failures, firstFailure, requests } = run;
  const rate = textsPerSecond(spans, window);
  const requestsInWindow = (rate * (window.end - window.start)) / 1000 / texts;
  return {
    textsPerSecond: rate,
    ...latencies(spansWithin(spans, window)),
    ...cpuPerRequest(run.samples, requestsInWindow),
    bytesPerRequest: run.requestBytes / requests,
    bytesPerAnswer: run.responseBytes / requests,
    requests,
    failures,
    firstFailure,
  };
}

async function main() {
  const { model, workload } = values;
  const encoding = values.encoding === 'float' ? 'float' : 'base64';
  const [seconds, warmup] = [Number(values.seconds), Number(values.warmup)];
  const url = loopbackUrl(values.url);
  const { texts, connections } = workloadNamed(workload);
  const requests = new Requests(workload, Number(values.seed), {
    target: { url, model, encoding },
    seconds: seconds + warmup,
  });
  const verified = await verify(requests, { url, texts, encoding });
  const loop = new ClosedLoop(requests, { url, connections, texts });
  const times = { warmupMs: warmup * 1000, windowMs: seconds * 1000 };
  const run = await loop.run({ ...times, sample: sampleCpu });
  const { builtLate } = requests;
  console.log(JSON.stringify({ ...report(run, texts), ...verified, builtLate }));
}

await main();
