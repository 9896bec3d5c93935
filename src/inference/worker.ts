import { parentPort, isMainThread } from 'node:worker_threads';
import type { Handlers } from '../threads/responder.ts';
import { serve } from '../threads/responder.ts';
import { applyHead } from './heads/index.ts';
import { openSession } from './ort.ts';
import { pad } from './pad.ts';
import type { Session, SessionInfo, SessionOptions } from './session.ts';
import type { BatchOutput, BatchWork } from './work.ts';

/** What an inference thread is asked to open. */
export interface OpenArgs {
  /** Absolute path. */
  readonly modelFile: string;
  readonly options: SessionOptions;
}

/** The methods of an inference thread. */
export interface InferenceMethods {
  /** First of all, and once. */
  readonly open: (args: OpenArgs) => SessionInfo;
  /** One at a time. */
  readonly run: (work: BatchWork) => BatchOutput;
  /** Last of all. */
  readonly close: (args: null) => null;
}

/**
 * The methods of an inference thread, around one session.
 *
 * @param open - Opens a session.
 * @returns Handlers for a port.
 */
export function inferenceHandlers(open: typeof openSession): Handlers<InferenceMethods> {
  let opened: { readonly session: Session; readonly padTokenId: number } | null = null;

  function current(): { readonly session: Session; readonly padTokenId: number } {
    if (!opened) throw new Error('no session is open');
    return opened;
  }

  return {
    open: async ({ modelFile, options }) => {
      const session = await open(modelFile, options);
      opened = { session, padTokenId: options.padTokenId };
      return { value: session.info };
    },
    run: async (work) => {
      if (work.crash) await die();
      const started = performance.now();
      const { session, padTokenId } = current();
      const output = await session.run(pad(work, padTokenId), work.head.output);
      const { data, shapes } = applyHead(output, work.lengths, work.head);
      const runMs = performance.now() - started;
      return { value: { data, shapes, runMs }, transfer: [data.buffer as ArrayBuffer] };
    },
    close: async () => {
      await current().session.close();
      return { value: null };
    },
  };
}

// As a fault in native code would: no answer, and the thread is gone.
function die(): Promise<never> {
  return new Promise(() => {
    queueMicrotask(() => {
      throw new Error('a drill killed this thread');
    });
  });
}

if (!isMainThread && parentPort) serve(parentPort, inferenceHandlers(openSession));
