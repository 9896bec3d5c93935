import fc from 'fast-check';
import { Job } from '../../../src/inference/job.ts';
import { RowQueue } from '../../../src/inference/queue.ts';
import type { QueuedRow } from '../../../src/inference/queue.ts';

const SCOPE = { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
const HEAD = { kind: 'tokens', output: 'x' } as const;

function rowsOf(job: Job, lengths: readonly number[]): readonly QueuedRow[] {
  return lengths.map((tokens, index) => ({
    tokens,
    turn: index,
    deadlineMs: Infinity,
    key: HEAD,
    head: HEAD,
    sequence: { ids: new Int32Array(tokens), typeIds: null },
    job,
    index,
    isRetry: false,
  }));
}

function isSorted({ rows }: RowQueue): boolean {
  return rows.every((row, at) => {
    const before = rows[at - 1];
    if (!before) return true;
    return before.tokens < row.tokens || (before.tokens === row.tokens && before.turn <= row.turn);
  });
}

describe('RowQueue', () => {
  test('keeps rows in order, and counts tokens and requests', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 150 });
    const requests = fc.array(lengths, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(requests, fc.array(fc.nat(), { maxLength: 30 }), (all, picks) => {
        const queue = new RowQueue();
        for (const lengthsOfOne of all) queue.add(rowsOf(new Job(1, SCOPE, 0), lengthsOfOne));
        const before = queue.rows.slice();
        expect(before).toHaveLength(all.flat().length);
        expect(isSorted(queue)).toBe(true);
        const indexes = [...new Set(picks.map((pick) => pick % before.length))].sort(
          (one, other) => one - other,
        );
        const taken = queue.take(indexes);
        expect(taken).toEqual(indexes.map((at) => before[at]));
        expect(queue.rows).toEqual(before.filter((_row, at) => !indexes.includes(at)));
        const left = queue.rows.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(queue.tokens).toBe(left);
        expect(queue.jobs).toBe(new Set(queue.rows.map(({ job }) => job)).size);
      }),
      { numRuns: 200 },
    );
  });

  test('drops all rows of a request', () => {
    const queue = new RowQueue();
    const [one, other] = [new Job(3, SCOPE, 0), new Job(2, SCOPE, 0)];
    queue.add(rowsOf(one, [5, 1, 7]));
    queue.add(rowsOf(other, [6, 2]));
    queue.drop(one);
    expect(queue.rows.map(({ tokens }) => tokens)).toEqual([2, 6]);
    expect([queue.tokens, queue.jobs]).toEqual([8, 1]);
  });
});
