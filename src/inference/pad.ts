import type { TokenBatch } from './session.ts';
import type { BatchWork } from './work.ts';

/**
 * Lays rows of unequal length side by side.
 *
 * @param work - Rows end to end.
 * @param padTokenId - Id that fills a row up to the longest.
 * @returns Fresh arrays `[rows, columns]`, padded on the right.
 */
export function pad(work: BatchWork, padTokenId: number): TokenBatch {
  const { ids, typeIds, lengths } = work;
  const rows = lengths.length;
  const columns = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  const inputIds = new Int32Array(rows * columns);
  const attentionMask = new Int32Array(rows * columns);
  const paddedTypeIds = typeIds && new Int32Array(rows * columns);
  if (padTokenId !== 0) inputIds.fill(padTokenId);
  let from = 0;
  lengths.forEach((length, row) => {
    const to = from + length;
    const at = row * columns;
    inputIds.set(ids.subarray(from, to), at);
    attentionMask.fill(1, at, at + length);
    if (typeIds) paddedTypeIds?.set(typeIds.subarray(from, to), at);
    from = to;
  });
  return { rows, columns, inputIds, attentionMask, typeIds: paddedTypeIds };
}
