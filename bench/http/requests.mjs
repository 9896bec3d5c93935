import { requestTexts, workloadNamed } from './texts.mjs';

/**
 * What is sent where.
 *
 * @typedef {object} Target
 * @property {URL} url Of the embeddings route
 * @property {string} model
 * @property {'float' | 'base64'} encoding
 */

/**
 * A request as bytes: `POST` with a JSON body.
 *
 * @param {readonly string[]} texts
 * @param {Target} target
 */
export function requestBytes(texts, { url, model, encoding }) {
  const input = texts.length === 1 ? texts[0] : texts;
  const body = Buffer.from(JSON.stringify({ model, input, encoding_format: encoding }));
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The requests of a workload, most of them built before the clock runs. */
export class Requests {
  /** Requests that had to be built while the clock ran. */
  builtLate = 0;
  #texts;
  #target;
  #ready;
  #next = 0;

  /**
   * @param {string} workload
   * @param {number} seed
   * @param {{ target: Target, seconds: number }} options How long the requests built ahead must last
   */
  constructor(workload, seed, { target, seconds }) {
    const { texts, expectedRate, connections } = workloadNamed(workload);
    const ahead = Math.ceil((expectedRate * seconds) / texts) + 2 * connections;
    this.#texts = requestTexts(workload, seed);
    this.#target = target;
    this.#ready = Array.from({ length: ahead }, () => this.#build());
  }

  /** @returns {Buffer} */
  next() {
    const ready = this.#ready[this.#next];
    if (ready) {
      this.#ready[this.#next++] = null;
      return ready;
    }
    this.builtLate++;
    return this.#build();
  }

  #build() {
    return requestBytes(this.#texts.next().value, this.#target);
  }
}
