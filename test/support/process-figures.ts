import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of a process; every figure is 0 on other systems. */
export interface ProcessFigures {
  /** Resident memory, in bytes: now, and at most so far. */
  readonly rssBytes: number;
  readonly peakBytes: number;
  /** Open files and sockets. */
  readonly files: number;
  readonly threads: number;
}

/** Reads the figures of a process of this machine. */
export function processFigures(pid: number | undefined): ProcessFigures {
  if (process.platform !== 'linux') return { rssBytes: 0, peakBytes: 0, files: 0, threads: 0 };
  const folder = `/proc/${pid ?? 0}`;
  const status = readFileSync(`${folder}/status`, 'utf8');
  function valueOf(key: string): number {
    return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN);
  }
  return {
    rssBytes: valueOf('VmRSS') * 1024,
    peakBytes: valueOf('VmHWM') * 1024,
    files: readdirSync(`${folder}/fd`).length,
    threads: valueOf('Threads'),
  };
}
