import type { HeadSpec } from './work.ts';

/** A row that waits for a worker. */
export interface WaitingRow {
  readonly tokens: number;
  /** Rows with a lower turn go first. */
  readonly turn: number;
  /** On the clock of `performance.now()`, in ms. */
  readonly deadlineMs: number;
  /** Rows of one batch share the same object. */
  readonly head: HeadSpec;
}

/** What a batch may hold. */
export interface BatchBudget {
  /** rows × tokens of the longest; a longer row goes alone. */
  readonly maxPaddedTokens: number;
  readonly maxRows: number;
}
