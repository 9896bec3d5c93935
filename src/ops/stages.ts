import { CHANNELS } from './channels.ts';
import type { BatchEvent, QueueEvent, RequestKey, TokenizeEvent } from './channels.ts';

/** A batch as one of its requests sees it. */
export type BatchSpan = Omit<BatchEvent, 'requests' | 'model'>;

/** What the stages have told of a request. */
export interface Stages {
  /** Null: not tokenized, or too long. */
  tokenize: TokenizeEvent | null;
  /** Null: no result from the engine. */
  queue: QueueEvent | null;
  /** Those that held a row of it, in the order in which they ended. */
  readonly batches: BatchSpan[];
}

const NO_STAGES: Stages = { tokenize: null, queue: null, batches: [] };

/** Gathers by request what the stages tell, for those who listen to whole requests. */
export class StageLog {
  // Without the batch's other requests, lest each request keeps the one before it in memory.
  readonly #stages = new WeakMap<RequestKey, Stages>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor() {
    this.#unsubscribe = [
      CHANNELS.tokenize.subscribe((event) => {
        this.#at(event.request).tokenize = event;
      }),
      CHANNELS.queue.subscribe((event) => {
        this.#at(event.request).queue = event;
      }),
      CHANNELS.batch.subscribe(({ requests, rows, tokens, paddedTokens, ...span }) => {
        const { startMs, endMs, runMs } = span;
        const batch = { rows, tokens, paddedTokens, startMs, endMs, runMs };
        for (const request of requests) this.#at(request).batches.push(batch);
      }),
    ];
  }

  /**
   * What is known of a request.
   *
   * @param request - As in its events.
   * @returns Not to be changed.
   */
  of(request: RequestKey): Readonly<Stages> {
    return this.#stages.get(request) ?? NO_STAGES;
  }

  /** Listens no more. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #at(request: RequestKey): Stages {
    const known = this.#stages.get(request);
    if (known !== undefined) return known;
    const stages: Stages = { tokenize: null, queue: null, batches: [] };
    this.#stages.set(request, stages);
    return stages;
  }
}
