import { threadsFor } from './cpus.ts';
import type { Engine, EngineOptions } from './engine.ts';
import type { CpuPermits } from './permits.ts';
import { openPool } from './pool.ts';
import { Scheduler } from './scheduler.ts';

/** What all engines of a server share. */
export interface EngineHost {
  /** The file of the inference thread. */
  readonly workerUrl: URL;
  /** CPUs that this process may use. */
  readonly cpus: number;
  readonly permits: CpuPermits;
  /** Tokens that may wait for each model; null: 2,048 rows as long as its context. */
  readonly queueTokens: number | null;
  /** Told once when a model cannot run any more, and why. */
  readonly onFailure: (reason: string) => void;
}

/** Rows of the longest length that may wait. Source: 256 requests of 8 texts, as one Baseten client sends. */
const DEFAULT_QUEUE_ROWS = 256 * 8;

/**
 * Opens a model file for inference: workers, and a scheduler in front of them.
 *
 * @param host - What is shared with other models.
 * @param options - The model and how it runs.
 * @returns The engine, when its sessions are open.
 * @throws `StartError` `config`: the file cannot be loaded or served.
 */
export async function openEngine(host: EngineHost, options: EngineOptions): Promise<Engine> {
  const { model, modelFile, budget, padTokenId, positionOffset, configEntries } = options;
  const { numStreams, intraOpNumThreads } = threadsFor(host.cpus, options);
  const pool = await openPool({
    workerUrl: host.workerUrl,
    model,
    numStreams,
    onFailure: host.onFailure,
    session: {
      modelFile,
      options: { intraOpNumThreads, padTokenId, positionOffset, configEntries },
    },
  });
  return new Scheduler({
    model,
    pool,
    budget,
    maxQueueTokens: host.queueTokens ?? DEFAULT_QUEUE_ROWS * options.contextLength,
    permits: host.permits,
    threadsPerBatch: intraOpNumThreads,
  });
}
