/** A row that waits for a worker. */
export interface WaitingRow {
  readonly tokens: number;
  /** The row with the lowest turn leads the next batch. */
  readonly turn: number;
  /** Decides between equal turns; on the clock of `performance.now()`, in ms. */
  readonly deadlineMs: number;
  /** Rows of one batch have the same key: the same head, and on a second try the same request. */
  readonly key: unknown;
}

/** What a batch may hold. */
export interface BatchBudget {
  /** rows × tokens of the longest; a longer row goes alone. */
  readonly maxPaddedTokens: number;
  readonly maxRows: number;
}

/**
 * Padding that one more row may bring, in tokens: a run of its own would cost about as much. Source: the
 * speed table of the default model, where 1×16 takes 7 tokens longer than its share of 32×16.
 */
const FREE_PADDING_TOKENS = 8;

/** And as a part of the longest row. */
const PADDING_SHARE = 1 / 8;

function leaderOf(waiting: readonly WaitingRow[]): number {
  let leader = 0;
  let best = waiting[0];
  for (let at = 1; at < waiting.length; at += 1) {
    const row = waiting[at];
    if (row && best && goesFirst(row, best)) {
      leader = at;
      best = row;
    }
  }
  return leader;
}

function goesFirst(one: WaitingRow, other: WaitingRow): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.deadlineMs < other.deadlineMs);
}

function tokensAt(waiting: readonly WaitingRow[], at: number, otherwise: number): number {
  return waiting[at]?.tokens ?? otherwise;
}

interface Search {
  readonly from: number;
  readonly key: unknown;
  readonly step: 1 | -1;
}

// The next row with this key in a direction; an index outside the list if there is none.
function search(waiting: readonly WaitingRow[], { from, key, step }: Search): number {
  let at = from + step;
  while (at >= 0 && at < waiting.length && waiting[at]?.key !== key) at += step;
  return at;
}

/**
 * The rows of the next batch: the one whose turn is lowest, and those nearest to it in length as long
 * as they bring little padding, until rows × longest would pass the budget.
 *
 * @param waiting - At least one row, in ascending order of tokens.
 * @param budget - What the batch may hold.
 * @returns Indexes into `waiting`, in ascending order; never none.
 */
export function nextBatch(waiting: readonly WaitingRow[], budget: BatchBudget): readonly number[] {
  const leader = leaderOf(waiting);
  const { key, tokens: longestAtFirst = 0 } = waiting[leader] ?? {};
  const batch = [leader];
  let longest = longestAtFirst;
  let low = search(waiting, { from: leader, key, step: -1 });
  let high = search(waiting, { from: leader, key, step: 1 });
  while (batch.length < budget.maxRows) {
    const shorter = longest - tokensAt(waiting, low, -Infinity);
    const longer = (tokensAt(waiting, high, Infinity) - longest) * batch.length;
    if (Math.min(shorter, longer) > FREE_PADDING_TOKENS + longest * PADDING_SHARE) break;
    const next = longer < shorter ? high : low;
    longest = Math.max(longest, tokensAt(waiting, next, 0));
    if ((batch.length + 1) * longest > budget.maxPaddedTokens) break;
    batch.push(next);
    if (next === high) high = search(waiting, { from: high, key, step: 1 });
    else low = search(waiting, { from: low, key, step: -1 });
  }
  return batch.sort((one, other) => one - other);
}
