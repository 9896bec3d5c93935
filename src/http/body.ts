import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { ServeError } from '../errors.ts';
import { MAX_BODY_BYTES } from '../limits/constants.ts';
import type { Hold } from './byte-budget.ts';
import type { OpenDecoder } from './content-codings.ts';

/** Of a buffer for a body of unknown length, at first; it doubles. */
const FIRST_BUFFER_BYTES = 16_384;

/**
 * The announced length of a body, which is refused by it before a byte of it is read.
 *
 * The limit is on the decoded size. An encoded body is held to it as well, which only a coding that
 * makes its input longer could notice.
 *
 * @param request - Its headers are looked at.
 * @returns Bytes, before decoding; 0 if none are announced.
 * @throws {@link ServeError} `body_too_large`.
 */
export function announcedLength({ headers }: IncomingMessage): number {
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge(`of ${announced} bytes`);
  return announced;
}

/**
 * Reads and decodes a request body, and stops at the first byte beyond the limit.
 *
 * What is held is the decoded body, in one buffer of at most the limit, and while that grows, the
 * smaller one before it.
 *
 * @param request - Nothing of its body has been read yet; what is left unread is the caller's matter.
 * @param decoders - In the order of decoding.
 * @param hold - Has the announced length already; takes what the body gets longer.
 * @returns The decoded bytes.
 * @throws {@link ServeError} `body_too_large`; `invalid_json` if it can't be decoded; `overloaded`;
 * `client_closed`.
 */
export function readBody(
  request: IncomingMessage,
  decoders: readonly OpenDecoder[],
  hold: Hold,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const reader = new BodyReader(request, { decoders, hold }, (result) => {
      if (result instanceof ServeError) reject(result);
      else resolve(result);
    });
    reader.start();
  });
}

class BodyReader {
  readonly #request: IncomingMessage;
  readonly #decoders: readonly Transform[];
  readonly #hold: Hold;
  readonly #settle: (result: Buffer | ServeError) => void;
  #isSettled = false;
  #encodedBytes = 0;
  #held: Buffer | null = null;
  #length = 0;

  constructor(
    request: IncomingMessage,
    { decoders, hold }: { readonly decoders: readonly OpenDecoder[]; readonly hold: Hold },
    settle: (result: Buffer | ServeError) => void,
  ) {
    this.#request = request;
    this.#hold = hold;
    this.#decoders = decoders.map((open) => open());
    this.#settle = settle;
  }

  start(): void {
    const request = this.#request;
    request.on('close', this.#onClose).on('error', this.#onClose);
    if (this.#decoders.length === 0) {
      request.on('data', this.#onData).on('end', this.#onEnd);
      return;
    }
    request.on('data', this.#onEncoded);
    let last: NodeJS.ReadableStream = request;
    for (const decoder of this.#decoders) last = last.pipe(decoder.on('error', this.#onFault));
    last.on('data', this.#onData).on('end', this.#onEnd);
  }

  readonly #onEncoded = (chunk: Buffer): void => {
    this.#encodedBytes += chunk.length;
    if (this.#encodedBytes > MAX_BODY_BYTES) this.#end(tooLarge('that is longer than the limit'));
  };

  readonly #onData = (chunk: Buffer): void => {
    const length = this.#length + chunk.length;
    if (length > MAX_BODY_BYTES) this.#end(tooLarge('that is longer than the limit'));
    else if (!this.#isSettled) this.#append(chunk, length);
  };

  readonly #onEnd = (): void => {
    this.#end(this.#held?.subarray(0, this.#length) ?? Buffer.alloc(0));
  };

  readonly #onFault = (cause: unknown): void => {
    this.#end(
      new ServeError(
        'invalid_json',
        'Cannot read the request body: it is cut short, or not encoded as its header Content-Encoding says',
        { cause },
      ),
    );
  };

  readonly #onClose = (): void => {
    // 'close' also follows a whole body, which a decoder may still be at work on.
    if (this.#request.readableEnded) return;
    this.#end(new ServeError('client_closed', 'Cannot read the request body: the client hung up'));
  };

  #append(chunk: Buffer, length: number): void {
    const { headers } = this.#request;
    const announced = Number(headers['content-length'] ?? 0);
    if (this.#held === null && length === announced && this.#decoders.length === 0) {
      // The whole body came at once, as most do.
      this.#held = chunk;
    } else {
      const held = this.#held ?? Buffer.allocUnsafe(this.#decoders.length > 0 ? 0 : announced);
      const isFull = length > held.length;
      if (isFull && !this.#mayHold(grownLength(held, length))) return;
      this.#held = isFull ? grown(held, this.#length, length) : held;
      chunk.copy(this.#held, this.#length);
    }
    this.#length = length;
  }

  #mayHold(bytes: number): boolean {
    try {
      this.#hold.take(bytes);
      return true;
    } catch (error) {
      this.#end(error as ServeError);
      return false;
    }
  }

  #end(result: Buffer | ServeError): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const request = this.#request;
    request.off('close', this.#onClose).off('data', this.#onData).off('data', this.#onEncoded);
    if (result instanceof ServeError) {
      this.#held = null;
      request.unpipe();
      request.pause();
      for (const decoder of this.#decoders) decoder.destroy();
    }
    this.#settle(result);
  }
}

function grownLength(held: Buffer, needed: number): number {
  return Math.max(needed, Math.min(2 * held.length, MAX_BODY_BYTES), FIRST_BUFFER_BYTES);
}

function grown(held: Buffer, used: number, needed: number): Buffer {
  const buffer = Buffer.allocUnsafe(grownLength(held, needed));
  held.copy(buffer, 0, 0, used);
  return buffer;
}

function tooLarge(what: string): ServeError {
  return new ServeError(
    'body_too_large',
    `Cannot read a request body ${what}: the limit is ${MAX_BODY_BYTES} bytes after decompression and is fixed; split the request`,
  );
}
