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
}

/**
 * Opens a model file for inference: workers, and a scheduler in front of them.
 *
 * @param host - What is shared with other models.
 * @param options - The model and how it runs.
 * @returns The engine, when its sessions are open.
 * @throws `StartError` `config`: the file cannot be loaded or served.
 */
export async function openEngine(host: EngineHost, options: EngineOptions): Promise<Engine> {
  const { modelFile, budget, padTokenId, positionOffset, configEntries } = options;
  const { numStreams, intraOpNumThreads } = threadsFor(host.cpus, options);
  const pool = await openPool({
    workerUrl: host.workerUrl,
    numStreams,
    session: {
      modelFile,
      options: { intraOpNumThreads, padTokenId, positionOffset, configEntries },
    },
  });
  return new Scheduler({
    pool,
    budget,
    permits: host.permits,
    threadsPerBatch: intraOpNumThreads,
  });
}
