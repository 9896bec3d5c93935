const MAX_LINE_BYTES = 1024;
const MAX_TRAILER_BYTES = 16_384;
const CR = 13;
const LF = 10;

/** Takes a chunked body apart, however it is cut. */
export class ChunkedBody {
  #state: 'size' | 'data' | 'data-end' | 'trailer' = 'size';
  #line = '';
  /** Bytes of the open chunk that are missing. */
  #left = 0;
  #trailerBytes = 0;
  readonly #onData: (data: Uint8Array) => void;

  constructor(onData: (data: Uint8Array) => void) {
    this.#onData = onData;
  }

  /**
   * Takes bytes.
   *
   * @param bytes - Bytes to read; a view is enough.
   * @returns the number of bytes taken if the body ended in them, else -1.
   * @throws Error if the framing is broken.
   */
  push(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'data') {
        at = this.#pushData(bytes, at);
        continue;
      }
      const end = bytes.indexOf(LF, at);
      at = this.#pushLine(bytes, at, end);
      if (end >= 0 && this.#endLine()) return at;
    }
    return -1;
  }

  #pushData(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#onData(bytes.subarray(at, end));
    this.#left -= end - at;
    if (this.#left === 0) this.#state = 'data-end';
    return end;
  }

  // Adds what there is of a line, without its LF; returns where the next one starts.
  #pushLine(bytes: Uint8Array, at: number, end: number): number {
    const stop = end < 0 ? bytes.length : end;
    if (this.#line.length + stop - at > MAX_LINE_BYTES) throw new Error('chunk line too long');
    for (let i = at; i < stop; i++) this.#line += String.fromCharCode(bytes[i] ?? 0);
    return end < 0 ? stop : end + 1;
  }

  // Reads a whole line; `true` if it ends the body.
  #endLine(): boolean {
    if (this.#line.charCodeAt(this.#line.length - 1) !== CR) throw new Error('bare LF in framing');
    const line = this.#line.slice(0, -1);
    this.#line = '';
    if (this.#state === 'size') {
      this.#openChunk(line);
      return false;
    }
    if (this.#state === 'data-end') {
      if (line !== '') throw new Error('chunk longer than its size');
      this.#state = 'size';
      return false;
    }
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > MAX_TRAILER_BYTES) throw new Error('trailers too long');
    return line === '';
  }

  #openChunk(line: string): void {
    const match = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line);
    if (!match) throw new Error('bad chunk size');
    this.#left = Number.parseInt(match[1] ?? '', 16);
    this.#state = this.#left === 0 ? 'trailer' : 'data';
  }
}
