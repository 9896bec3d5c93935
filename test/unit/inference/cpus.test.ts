import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotaOf, threadsFor, usableCpus } from '../../../src/inference/cpus.ts';

describe('quotaOf()', () => {
  test.each([
    ['max 100000', Infinity],
    ['200000 100000\n', 2],
    ['250000 100000', 2],
    ['50000 100000', 1],
    ['', Infinity],
  ])('reads %j as %d CPUs', (text, cpus) => {
    expect(quotaOf(text)).toBe(cpus);
  });
});

describe('usableCpus()', () => {
  test('is the affinity where no quota is set', () => {
    expect(usableCpus(join(tmpdir(), 'no-such-folder', 'cpu.max'))).toBe(availableParallelism());
  });

  test('is bounded by the quota', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cpus-'));
    writeFileSync(join(folder, 'cpu.max'), '100000 100000\n');
    expect(usableCpus(join(folder, 'cpu.max'))).toBe(1);
    rmSync(folder, { recursive: true });
  });
});

describe('threadsFor()', () => {
  test.each([
    { cpus: 1, asked: ['auto', 'auto'], chosen: [1, 1] },
    { cpus: 2, asked: ['auto', 'auto'], chosen: [2, 1] },
    { cpus: 8, asked: ['auto', 'auto'], chosen: [8, 1] },
    { cpus: 20, asked: ['auto', 'auto'], chosen: [8, 2] },
    { cpus: 64, asked: ['auto', 'auto'], chosen: [8, 8] },
    { cpus: 4, asked: [1, 'auto'], chosen: [1, 4] },
    { cpus: 4, asked: ['auto', 2], chosen: [2, 2] },
    { cpus: 2, asked: [3, 5], chosen: [3, 5] },
    { cpus: 1, asked: ['auto', 4], chosen: [1, 4] },
  ] as const)(
    'for $cpus CPUs and $asked: $chosen streams and threads',
    ({ cpus, asked, chosen }) => {
      const [numStreams, intraOpNumThreads] = asked;
      const threads = threadsFor(cpus, { numStreams, intraOpNumThreads });
      expect([threads.numStreams, threads.intraOpNumThreads]).toEqual(chosen);
    },
  );
});
