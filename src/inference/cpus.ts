import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Most workers that `auto` makes: each holds a copy of the weights. */
const MAX_AUTO_STREAMS = 8;

/** How the CPUs are used by one model. */
export interface Threads {
  readonly numStreams: number;
  readonly intraOpNumThreads: number;
}

/**
 * CPUs that a cgroup lets a process use.
 *
 * @param cpuMax - The text of a `cpu.max` file: quota and period in µs, or `max`.
 * @returns Whole CPUs, at least 1; Infinity without a quota.
 */
export function quotaOf(cpuMax: string): number {
  const [quota, period] = cpuMax.trim().split(/\s+/).map(Number);
  if (!quota || !period || Number.isNaN(quota + period)) return Infinity;
  return Math.max(1, Math.floor(quota / period));
}

/**
 * CPUs that this process may use: its affinity, and the quota of its cgroup.
 *
 * @param cpuMaxFile - Where the quota stands; it need not exist.
 * @returns Whole CPUs, at least 1.
 */
export function usableCpus(cpuMaxFile = '/sys/fs/cgroup/cpu.max'): number {
  try {
    return Math.min(availableParallelism(), quotaOf(readFileSync(cpuMaxFile, 'utf8')));
  } catch {
    return availableParallelism();
  }
}

/**
 * Workers and threads where the configuration leaves them open: one worker a CPU with one thread each,
 * up to eight workers, which then share the CPUs.
 *
 * @param cpus - CPUs that this process may use.
 * @param configured - Numbers, or `auto`.
 * @param configured.numStreams - Workers.
 * @param configured.intraOpNumThreads - Threads of each.
 * @returns Numbers, at least 1 each.
 */
export function threadsFor(
  cpus: number,
  configured: {
    readonly numStreams: number | 'auto';
    readonly intraOpNumThreads: number | 'auto';
  },
): Threads {
  const { numStreams, intraOpNumThreads } = configured;
  const threads = intraOpNumThreads === 'auto' ? 1 : intraOpNumThreads;
  const streams =
    numStreams === 'auto'
      ? Math.min(MAX_AUTO_STREAMS, Math.max(1, Math.floor(cpus / threads)))
      : numStreams;
  return {
    numStreams: streams,
    intraOpNumThreads:
      intraOpNumThreads === 'auto' ? Math.max(1, Math.floor(cpus / streams)) : intraOpNumThreads,
  };
}
