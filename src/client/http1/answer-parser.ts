import { ChunkedBody } from './chunked-body.ts';
import { MAX_HEAD_BYTES, parseHead, type Http1Head } from './response-head.ts';

/** Where a parser puts an answer. */
export interface ParserSink {
  readonly onHead: (head: Http1Head) => void;
  readonly onBody: (chunk: Uint8Array) => void;
  /** The answer is whole; `rest` bytes came after it. */
  readonly onEnd: (rest: number) => void;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Reads the answer to one request from bytes, however they are cut. */
export class AnswerParser {
  readonly #method: string;
  readonly #sink: ParserSink;
  #head: Http1Head | null = null;
  /** Start of a head that isn't whole yet. */
  #pending: Buffer | null = null;
  #left = 0;
  #chunked: ChunkedBody | null = null;

  constructor(method: string, sink: ParserSink) {
    this.#method = method;
    this.#sink = sink;
  }

  /**
   * @returns Whether the final head has been read.
   */
  get started(): boolean {
    return this.#head !== null;
  }

  /**
   * Takes bytes, which are read before this returns.
   *
   * @param bytes - Bytes to read; a view is enough.
   * @throws Error if they break the protocol.
   */
  push(bytes: Buffer): void {
    if (this.#head) this.#pushBody(bytes);
    else this.#pushHead(bytes);
  }

  /**
   * The connection ended.
   *
   * @returns whether that ended the answer as it should.
   */
  close(): boolean {
    if (this.#head?.framing.kind !== 'close') return false;
    this.#sink.onEnd(0);
    return true;
  }

  #pushHead(chunk: Buffer): void {
    const bytes = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    const end = bytes.indexOf(END_OF_HEAD);
    const text = bytes.toString(
      'latin1',
      0,
      end < 0 ? Math.min(bytes.length, MAX_HEAD_BYTES + 4) : end,
    );
    if (/(?:^|[^\r])\n/.test(text)) throw new Error('bare LF in the head');
    if (text.length > MAX_HEAD_BYTES) throw new Error('head too large');
    if (end < 0) {
      this.#pending = Buffer.from(bytes);
      return;
    }
    this.#pending = null;
    const head = parseHead(text, this.#method);
    const rest = bytes.subarray(end + END_OF_HEAD.length);
    if (head.status >= 200) this.#start(head, rest);
    else if (head.status === 101) throw new Error('unexpected upgrade');
    else if (rest.length > 0) this.#pushHead(rest);
  }

  #start(head: Http1Head, rest: Buffer): void {
    this.#head = head;
    this.#sink.onHead(head);
    if (head.framing.kind === 'length') this.#left = head.framing.length;
    else if (head.framing.kind === 'chunked') this.#chunked = new ChunkedBody(this.#sink.onBody);
    if (head.framing.kind === 'length' && this.#left === 0) this.#sink.onEnd(rest.length);
    else if (rest.length > 0) this.#pushBody(rest);
  }

  #pushBody(bytes: Buffer): void {
    if (this.#chunked) {
      const taken = this.#chunked.push(bytes);
      if (taken >= 0) this.#sink.onEnd(bytes.length - taken);
      return;
    }
    if (this.#head?.framing.kind === 'close') {
      this.#sink.onBody(bytes);
      return;
    }
    const taken = Math.min(this.#left, bytes.length);
    this.#left -= taken;
    this.#sink.onBody(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    if (this.#left === 0) this.#sink.onEnd(bytes.length - taken);
  }
}
