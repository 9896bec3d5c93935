import { readFileSync, writeFileSync } from 'node:fs';

/** Ticks of `utime` and `stime` are 10 ms on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * CPU time so far, in ms; null where there is no /proc.
 *
 * @param {number} pid
 * @returns {{ processMs: number, mainThreadMs: number } | null}
 */
export function cpuTimes(pid) {
  const whole = textOf(`/proc/${pid}/stat`);
  const mainThread = textOf(`/proc/${pid}/task/${pid}/stat`);
  if (whole === null || mainThread === null) return null;
  return { processMs: cpuMsOf(whole), mainThreadMs: cpuMsOf(mainThread) };
}

/** @param {string} stat The text of a stat file; the name in it may hold spaces and parentheses */
export function cpuMsOf(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Largest resident size since the last reset, in bytes; null where there is no /proc. */
export function peakRssBytes(pid) {
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`) ?? '');
  return match ? Number(match[1]) * 1024 : null;
}

/** Starts the peak again from the present size, where the system lets us. */
export function resetPeakRss(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak then covers the process's whole life.
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
