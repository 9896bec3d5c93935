import { resolve } from 'node:path';

interface Line {
  readonly workload: string;
  readonly system: string;
  readonly [figure: string]: unknown;
}
interface Summary {
  readonly summaryOf: (measurements: object[]) => Line[];
}
interface Table {
  readonly tableOf: (lines: Line[]) => string;
}

const FOLDER = resolve(import.meta.dirname, '../../../bench/http');
const { summaryOf } = (await import(resolve(FOLDER, 'summary.mjs'))) as Summary;
const { tableOf } = (await import(resolve(FOLDER, 'table.mjs'))) as Table;

function measured(round: number, system: string, textsPerSecond: number): object {
  const figures = { textsPerSecond, p50Ms: 10 * textsPerSecond };
  return { round, workload: 'docs', system, ceiling: 'ceiling', figures };
}

const MEASUREMENTS = [
  measured(0, 'ceiling', 100),
  measured(0, 'tensorgate', 80),
  measured(1, 'tensorgate', 90),
  measured(1, 'ceiling', 120),
  { round: 2, workload: 'docs', system: 'tensorgate', ceiling: 'ceiling', error: 'gone' },
];

describe('summaryOf()', () => {
  test('gives best and median, and both against the ceiling', () => {
    const [ceiling, server] = summaryOf(MEASUREMENTS);
    expect(ceiling).toMatchObject({ best: 120, median: 110, bestOfCeiling: null, failed: 0 });
    expect(server).toMatchObject({ best: 90, median: 85, bestOfCeiling: 0.75, failed: 1 });
    expect(server).toMatchObject({ medianOfCeiling: (0.8 + 0.75) / 2, p50Ms: 850 });
  });
});

describe('tableOf()', () => {
  test('has a row for each line and a dash where nothing was measured', () => {
    const [heading, , first] = tableOf(summaryOf(MEASUREMENTS)).split('\n');
    expect(heading).toContain('texts/s best');
    expect(first).toMatch(/^\| docs +\| ceiling +\| +120\.0 \| +110\.0 \| +- \|/);
  });
});
