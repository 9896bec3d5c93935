import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.mjs';

/** A refused request isn't sent again at once: a busy loop of refusals would measure nothing. */
const PAUSE_AFTER_FAILURE_MS = 20;
/** Longest wait for requests that are still in flight after the window. */
const MAX_TAIL_MS = 60_000;

/**
 * What a loop did.
 *
 * @typedef {object} Run
 * @property {import('./statistics.mjs').Span[]} spans Answered requests
 * @property {{ start: number, end: number }} window
 * @property {unknown[]} samples Of the window's begin and end
 * @property {Record<string, number>} failures By status, `socket` or `unfinished`
 * @property {string | null} firstFailure
 * @property {number} requests All that were answered, also outside the window
 * @property {number} requestBytes Of these
 * @property {number} responseBytes Of these
 */

/** Connections that each send the next request as soon as the last is answered. */
export class ClosedLoop {
  #requests;
  #texts;
  #connections;
  #run;
  #stopping = false;
  #inWindow = 0;
  #open = 0;
  #ended = null;

  /**
   * @param {import('./requests.mjs').Requests} requests
   * @param {{ url: URL, connections: number, texts: number }} options
   */
  constructor(requests, { url, connections, texts }) {
    this.#requests = requests;
    this.#texts = texts;
    this.#connections = Array.from({ length: connections }, () => new Connection(url));
  }

  /**
   * Load goes on after the window until all requests that began in it are answered: they end under the same
   * conditions as the others.
   *
   * @param {object} options
   * @param {number} options.warmupMs
   * @param {number} options.windowMs
   * @param {() => unknown} options.sample Called where the window begins and ends, for `samples`
   * @returns {Promise<Run>}
   */
  async run({ warmupMs, windowMs, sample }) {
    await Promise.all(this.#connections.map((connection) => connection.open()));
    const start = performance.now() + warmupMs;
    const window = { start, end: start + windowMs };
    this.#run = { spans: [], window, failures: {}, firstFailure: null };
    Object.assign(this.#run, { requests: 0, requestBytes: 0, responseBytes: 0 });
    const ended = new Promise((resolve) => (this.#ended = resolve));
    for (const connection of this.#connections) this.#send(connection);
    await sleep(warmupMs);
    const before = sample();
    await sleep(windowMs);
    this.#run.samples = [before, sample()];
    this.#stopping = this.#inWindow === 0;
    await Promise.race([ended, sleep(MAX_TAIL_MS, undefined, { ref: false })]);
    for (const connection of this.#connections) connection.close();
    if (this.#inWindow > 0) this.#unfinished();
    return this.#run;
  }

  #send(connection) {
    const bytes = this.#requests.next();
    const start = performance.now();
    const inWindow = start < this.#run.window.end;
    if (inWindow) this.#inWindow++;
    this.#open++;
    connection.send(bytes, (error, answer) => {
      const end = performance.now();
      this.#open--;
      if (inWindow) this.#inWindow--;
      if (end >= this.#run.window.end && this.#inWindow === 0) this.#stopping = true;
      if (answer?.status === 200)
        this.#succeeded({ start, end, texts: this.#texts }, bytes, answer);
      else this.#failed(error, answer);
      this.#goOn(connection, answer?.status === 200 ? 0 : PAUSE_AFTER_FAILURE_MS);
    });
  }

  #goOn(connection, pauseMs) {
    if (this.#stopping) {
      if (this.#open === 0) this.#ended();
    } else if (pauseMs === 0) {
      this.#send(connection);
    } else {
      void sleep(pauseMs).then(() => this.#goOn(connection, 0));
    }
  }

  #succeeded(span, bytes, answer) {
    this.#run.spans.push(span);
    this.#run.requests++;
    this.#run.requestBytes += bytes.length;
    this.#run.responseBytes += answer.bytes;
  }

  #unfinished() {
    this.#run.failures.unfinished = this.#inWindow;
    this.#run.firstFailure ??= `no answer ${MAX_TAIL_MS / 1000} s after the window`;
  }

  #failed(error, answer) {
    const kind = answer ? String(answer.status) : 'socket';
    this.#run.failures[kind] = (this.#run.failures[kind] ?? 0) + 1;
    this.#run.firstFailure ??= error ? error.message : answer.body.toString().slice(0, 300);
  }
}
