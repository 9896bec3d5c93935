import type { TokenSequence } from '../tokenizer/tokenizer.ts';
import type { WaitingRow } from './batch-policy.ts';
import type { Job } from './job.ts';
import type { HeadSpec } from './work.ts';

/** A row in line, and where its result goes. */
export interface QueuedRow extends WaitingRow {
  readonly sequence: TokenSequence;
  readonly job: Job;
  readonly head: HeadSpec;
  /** Of the row in its request. */
  readonly index: number;
  /** Whether a worker died or threw with it once. */
  readonly isRetry: boolean;
}

/** Rows of a request up to which each is put in its place; more are merged in one pass. */
const MOST_INSERTED = 64;

/** The rows of all requests that wait for a worker, in ascending order of tokens, then of turns. */
export class RowQueue {
  #rows: QueuedRow[] = [];
  #tokens = 0;
  /** How many rows of each request wait. */
  readonly #jobs = new Map<Job, number>();

  /** @returns Rows in ascending order of tokens; not to be changed. */
  get rows(): readonly QueuedRow[] {
    return this.#rows;
  }

  /** @returns Tokens of all rows, without padding. */
  get tokens(): number {
    return this.#tokens;
  }

  /** @returns Requests with a row in line. */
  get jobs(): number {
    return this.#jobs.size;
  }

  /**
   * Puts rows in line.
   *
   * @param rows - Of one request, in ascending order of turns.
   */
  add(rows: readonly QueuedRow[]): void {
    if (rows.length > MOST_INSERTED) this.#rows = merge(this.#rows, sorted(rows));
    else for (const row of rows) this.#rows.splice(placeOf(this.#rows, row), 0, row);
    for (const row of rows) this.#count(row, 1);
  }

  /**
   * Takes rows out of the line.
   *
   * @param indexes - Into {@link rows}, in ascending order.
   * @returns The rows at these indexes.
   */
  take(indexes: readonly number[]): readonly QueuedRow[] {
    const rows = indexes.flatMap((at) => this.#rows[at] ?? []);
    this.#close(indexes);
    for (const row of rows) this.#count(row, -1);
    return rows;
  }

  /**
   * Takes all rows of a request out of the line.
   *
   * @param job - The request.
   */
  drop(job: Job): void {
    for (const row of this.#rows) if (row.job === job) this.#count(row, -1);
    this.#rows = this.#rows.filter((row) => row.job !== job);
  }

  // Closes the gaps that taken rows leave, in one pass.
  #close(indexes: readonly number[]): void {
    const rows = this.#rows;
    let gaps = 0;
    for (let at = indexes[0] ?? rows.length; at < rows.length; at += 1) {
      const row = rows[at];
      if (at === indexes[gaps]) gaps += 1;
      else if (row) rows[at - gaps] = row;
    }
    rows.length -= gaps;
  }

  #count({ tokens, job }: QueuedRow, sign: 1 | -1): void {
    this.#tokens += sign * tokens;
    const rows = (this.#jobs.get(job) ?? 0) + sign;
    if (rows === 0) this.#jobs.delete(job);
    else this.#jobs.set(job, rows);
  }
}

// The index before which a row belongs: after those that are equal.
function placeOf(rows: readonly QueuedRow[], row: QueuedRow): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = rows[middle];
    if (other && inOrder(other, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// By tokens; sorting by comparison would hold up the main thread where there are 100,000 rows.
function sorted(rows: readonly QueuedRow[]): QueuedRow[] {
  const byTokens = new Map<number, QueuedRow[]>();
  for (const row of rows) {
    const equals = byTokens.get(row.tokens);
    if (equals) equals.push(row);
    else byTokens.set(row.tokens, [row]);
  }
  const lengths = [...byTokens.keys()].sort((one, other) => one - other);
  return lengths.flatMap((tokens) => byTokens.get(tokens) ?? []);
}

function inOrder(one: QueuedRow, other: QueuedRow): number {
  return one.tokens - other.tokens || one.turn - other.turn;
}

function merge(some: readonly QueuedRow[], others: readonly QueuedRow[]): QueuedRow[] {
  const merged: QueuedRow[] = [];
  let at = 0;
  for (const row of some) {
    for (let other = others[at]; other && inOrder(other, row) < 0; other = others[at]) {
      merged.push(other);
      at += 1;
    }
    merged.push(row);
  }
  return merged.concat(others.slice(at));
}
