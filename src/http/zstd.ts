import { Transform } from 'node:stream';
import { startThread, type Thread } from '../threads/start-thread.ts';
import type { ZstdMethods } from './zstd-worker.ts';

/** Zstandard by WebAssembly, in a thread that starts with the first call, and again after it died. */
export class WasmZstd {
  readonly #workerUrl: URL;
  #thread: Thread<ZstdMethods> | null = null;

  /**
   * Starts nothing yet.
   *
   * @param workerUrl - Of the built `zstd-worker.js`.
   */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /**
   * Compresses bytes.
   *
   * @param bytes - Copied.
   * @returns One frame.
   */
  readonly encode = (bytes: Uint8Array): Promise<Uint8Array> =>
    this.#running().caller.call('compress', bytes);

  /**
   * Compresses a stream of any length.
   *
   * @returns A stream that makes a frame of each piece. Decoders take frames in a row for one text.
   */
  readonly open = (): Transform =>
    new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        this.encode(piece).then(
          (frame) => {
            done(null, frame);
          },
          (error: unknown) => {
            done(error as Error);
          },
        );
      },
    });

  #running(): Thread<ZstdMethods> {
    if (this.#thread !== null) return this.#thread;
    const thread = startThread<ZstdMethods>(this.#workerUrl);
    thread.unref();
    void thread.ended.then(() => {
      this.#thread = null;
    });
    return (this.#thread = thread);
  }
}
