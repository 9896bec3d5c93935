import { takeBuffer } from './body-buffers.ts';

/** Longest body that is given its whole buffer when its head comes. */
const MAX_EARLY_BYTES = 64 * 1024 * 1024;

/** Puts the chunks of a body together; copies each, since they belong to the transport. */
export class BodyCollector {
  readonly #buffer: Uint8Array | null;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /**
   * `expected`: bytes that the head announced.
   *
   * @param expected - Bytes that the head announced, or `null`.
   */
  constructor(expected: number | null) {
    const early = expected !== null && expected <= MAX_EARLY_BYTES;
    this.#buffer = early ? takeBuffer(expected) : null;
  }

  /**
   * @returns Bytes so far.
   */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds a chunk.
   *
   * @param chunk - Belongs to the transport; copied.
   */
  add(chunk: Uint8Array): void {
    const end = this.#length + chunk.length;
    if (this.#buffer && end <= this.#buffer.length) this.#buffer.set(chunk, this.#length);
    else this.#chunks.push(new Uint8Array(chunk));
    this.#length = end;
  }

  /**
   * @returns All bytes so far, in one array.
   */
  bytes(): Uint8Array {
    if (this.#chunks.length === 0 && this.#buffer) return this.#buffer.subarray(0, this.#length);
    const [only] = this.#chunks;
    if (this.#chunks.length === 1 && only?.length === this.#length) return only;
    return this.#joined();
  }

  #joined(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = this.#length - this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (this.#buffer) all.set(this.#buffer.subarray(0, at));
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }
}
