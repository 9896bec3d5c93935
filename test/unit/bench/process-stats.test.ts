import { resolve } from 'node:path';

interface ProcessStats {
  readonly cpuMsOf: (stat: string) => number;
  readonly cpuTimes: (pid: number) => object | null;
  readonly peakRssBytes: (pid: number) => number | null;
}

const MODULE: string = resolve(import.meta.dirname, '../../../bench/http/process-stats.mjs');
const { cpuMsOf, cpuTimes, peakRssBytes } = (await import(MODULE)) as ProcessStats;

describe('cpuMsOf()', () => {
  test('adds utime and stime, whatever the name of the process is', () => {
    expect(cpuMsOf('42 (a) R (b)) S 1 42 42 0 -1 4194304 9 0 0 0 150 25 0 0 20')).toBe(1750);
  });
});

describe('cpuTimes() and peakRssBytes()', () => {
  test('have no value for a process that is not there', () => {
    expect(cpuTimes(-1)).toBeNull();
    expect(peakRssBytes(-1)).toBeNull();
  });
});
