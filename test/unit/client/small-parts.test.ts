import { backoffMs } from '../../../src/client/backoff.ts';
import { BodyCollector } from '../../../src/client/body-collector.ts';
import { Budget } from '../../../src/client/budget.ts';
import { filteredLogger } from '../../../src/client/logger.ts';
import { pickByTicket, splitmix64 } from '../../../src/client/splitmix64.ts';
import { VERSION } from '../../../src/client/version.ts';
import { readFileSync } from 'node:fs';

test('VERSION is the package’s', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(text) as { version: string }).version).toBe(VERSION);
});

describe('Budget', () => {
  test.each([
    [1, 0.05, 2],
    [10, 0.05, 2],
    [40, 0.1, 5],
    [200, 0.05, 11],
    [100, 0.05, 6],
    [1, 0, 2],
    [10, 3, 31],
  ])('%i batches at %d have %i units, and never fewer than none', (batches, pct, units) => {
    const budget = new Budget(batches, pct);
    expect(budget.left).toBe(units);
    for (let i = 0; i < units; i++) expect(budget.take()).toBe(true);
    expect(budget.take()).toBe(false);
    expect(budget.left).toBe(0);
  });
});

test('backoffMs() adds 0 to 99 ms', () => {
  const waits = Array.from({ length: 500 }, () => backoffMs(1, 125));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(125);
  expect(Math.max(...waits)).toBeLessThanOrEqual(224);
  expect(new Set(waits).size).toBeGreaterThan(20);
});

describe('splitmix64()', () => {
  // The first outputs of the generator with the seeds 0 and up, each by one step. Origin: the
  // reference implementation, run for the first seed; arithmetic in Python for the others.
  test.each([
    [0, 0xe220a8397b1dcdafn],
    [1, 0x910a2dec89025cc1n],
    [2, 0x975835de1c9756cen],
  ])('of %i', (ticket, output) => {
    expect(splitmix64(ticket)).toBe(output);
  });
});

describe('pickByTicket()', () => {
  test('spreads by weight, and never picks a weight of 0', () => {
    const counts = [0, 0, 0];
    for (let ticket = 0; ticket < 4000; ticket++) {
      const at = pickByTicket(ticket, [1, 0, 3]);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    expect(counts[1]).toBe(0);
    expect((counts[0] ?? 0) / 4000).toBeCloseTo(0.25, 1);
  });

  test('takes the remainder where no weight is positive', () => {
    expect(pickByTicket(0, [0, 0, 0])).toBe(Number(0xe220a8397b1dcdafn % 3n));
  });
});

describe('BodyCollector', () => {
  test.each([[null], [0], [5], [9], [2]])(
    'with %s bytes announced, copies what it keeps',
    (expected) => {
      const collector = new BodyCollector(expected);
      const shared = Buffer.alloc(3);
      for (const text of ['abc', 'def', 'ghi']) {
        shared.write(text);
        collector.add(shared);
      }
      shared.fill(0);
      expect(Buffer.from(collector.bytes()).toString()).toBe('abcdefghi');
    },
  );

  test('gives the bytes so far', () => {
    const collector = new BodyCollector(10);
    collector.add(Buffer.from('abc'));
    expect(Buffer.from(collector.bytes()).toString()).toBe('abc');
    expect(collector.length).toBe(3);
  });
});

describe('filteredLogger()', () => {
  afterEach(() => {
    delete process.env['PERFORMANCE_CLIENT_LOG_LEVEL'];
  });

  test.each([
    [undefined, ['warn', 'error']],
    ['nonsense', ['warn', 'error']],
    [' DEBUG ', ['debug', 'info', 'warn', 'error']],
    ['trace', ['trace', 'debug', 'info', 'warn', 'error']],
    ['error', ['error']],
  ])('lets at level %j through %j', (level, names) => {
    if (level !== undefined) process.env['PERFORMANCE_CLIENT_LOG_LEVEL'] = level;
    expect(Object.keys(filteredLogger({}))).toEqual(names);
  });

  test('is empty without a hook', () => {
    expect(filteredLogger(undefined)).toEqual({});
  });
});
