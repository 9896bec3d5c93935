import { parentPort } from 'node:worker_threads';
import { compress, init } from '@bokuweb/zstd-wasm';
import { serve, type Handlers } from '../threads/responder.ts';

/** What the thread is asked for. */
export interface ZstdMethods {
  /** Makes one whole frame of the bytes. */
  readonly compress: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;
}

/** Numbers as text hardly get shorter at higher levels, which cost a multiple. */
const LEVEL = 1;

/**
 * The handlers of a thread that compresses.
 *
 * @returns Handlers of {@link ZstdMethods}.
 */
export function zstdHandlers(): Handlers<ZstdMethods> {
  const loaded = init();
  return {
    compress: async (bytes) => {
      await loaded;
      const value = compress(bytes, LEVEL) as Uint8Array<ArrayBuffer>;
      return { value, transfer: [value.buffer] };
    },
  };
}

if (parentPort !== null) serve<ZstdMethods>(parentPort, zstdHandlers());
