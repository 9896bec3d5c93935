/**
 * An answer.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {number} bytes Head and body, as they came
 * @property {boolean} keepAlive Whether the connection can be used again
 * @property {Buffer} body Empty unless it was collected
 */

const LINE_FEED = 10;
/** Longest head or chunk-size line that is waited for. */
const MAX_LINE_BYTES = 65_536;

/**
 * Finds the end of one HTTP/1.1 answer after another, without looking at bodies. The answers of one connection
 * go through one reader; requests aren't pipelined.
 */
export class ResponseReader {
  /** Keep bodies. Those of answers other than 200 are always kept. */
  collect = false;
  #step = this.#head;
  #pending = '';
  #left = 0;
  #parts = [];
  #answer = null;
  #bytes = 0;

  /**
   * @param {Buffer} bytes What came; only read during the call
   * @returns {Answer | null} Once an answer is complete
   */
  feed(bytes) {
    this.#bytes += bytes.length;
    let offset = 0;
    while (offset < bytes.length) {
      offset = this.#step(bytes, offset);
      if (this.#step === this.#head && this.#answer) return this.#finish(bytes.length - offset);
    }
    return null;
  }

  #finish(extraBytes) {
    if (extraBytes > 0) throw new Error(`${extraBytes} bytes came after the end of the answer`);
    const answer = { ...this.#answer, bytes: this.#bytes, body: Buffer.concat(this.#parts) };
    this.#answer = null;
    this.#bytes = 0;
    this.#parts = [];
    return answer;
  }

  #head(bytes, offset) {
    const before = this.#pending.length;
    this.#pending += bytes.latin1Slice(offset, bytes.length);
    const end = this.#pending.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0) return this.#waitForMore(bytes);
    const head = this.#pending.slice(0, end + 2);
    this.#pending = '';
    this.#begin(head);
    return offset + end + 4 - before;
  }

  #waitForMore(bytes) {
    if (this.#pending.length > MAX_LINE_BYTES) throw new Error('The answer has a line without end');
    return bytes.length;
  }

  #begin(head) {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (!status) throw new Error(`Not an HTTP/1.1 answer: ${JSON.stringify(head.slice(0, 40))}`);
    if (status < 200) return;
    this.#answer = { status, keepAlive: !/\r\nconnection: *close/i.test(head) };
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (length) {
      this.#left = Number(length[1]);
      if (this.#left > 0) this.#step = this.#body;
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#step = this.#chunkSize;
    } else {
      throw new Error('The answer has neither Content-Length nor chunks');
    }
  }

  #take(bytes, offset) {
    const end = Math.min(bytes.length, offset + this.#left);
    this.#left -= end - offset;
    if (this.collect || this.#answer.status !== 200) {
      this.#parts.push(Buffer.from(bytes.subarray(offset, end)));
    }
    return end;
  }

  #body(bytes, offset) {
    const end = this.#take(bytes, offset);
    if (this.#left === 0) this.#step = this.#head;
    return end;
  }

  /** A line without its end, or null while it is incomplete; `next` is where to go on. */
  #line(bytes, offset) {
    const end = bytes.indexOf(LINE_FEED, offset);
    this.#pending += bytes.latin1Slice(offset, end < 0 ? bytes.length : end);
    if (end < 0) return { line: null, next: this.#waitForMore(bytes) };
    const line = this.#pending.trimEnd();
    this.#pending = '';
    return { line, next: end + 1 };
  }

  #chunkSize(bytes, offset) {
    const { line, next } = this.#line(bytes, offset);
    if (line === null) return next;
    if (!/^[0-9a-f]+/i.test(line)) throw new Error(`Not a chunk size: ${JSON.stringify(line)}`);
    this.#left = Number.parseInt(line, 16);
    this.#step = this.#left > 0 ? this.#chunk : this.#trailer;
    return next;
  }

  #chunk(bytes, offset) {
    const end = this.#take(bytes, offset);
    if (this.#left === 0) this.#step = this.#chunkEnd;
    return end;
  }

  #chunkEnd(bytes, offset) {
    const { line, next } = this.#line(bytes, offset);
    if (line !== null) this.#step = this.#chunkSize;
    return next;
  }

  #trailer(bytes, offset) {
    const { line, next } = this.#line(bytes, offset);
    if (line === '') this.#step = this.#head;
    return next;
  }
}
