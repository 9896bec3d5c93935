// Steps (insert, drop, replace a character) from one word to another.
function distance(one: string, other: string): number {
  let row = Array.from({ length: Array.from(other).length + 1 }, (_, column) => column);
  for (const [line, left] of Array.from(one).entries()) {
    const next = [line + 1];
    for (const [column, right] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

// `maxBatchSize`, `max-batch-size` and `max_batch_size` are one word.
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '').slice(0, 100);
}

/**
 * The word that was probably meant.
 *
 * @param word - As it was written.
 * @param allowed - Words to choose from.
 * @returns The nearest of them, or null if none is near.
 */
export function closest(word: string, allowed: readonly string[]): string | null {
  const near = allowed
    .map((name) => ({ name, steps: distance(plain(word), plain(name)) }))
    .filter(({ name, steps }) => steps <= Math.ceil(name.length / 3))
    .sort((one, other) => one.steps - other.steps);
  return near[0]?.name ?? null;
}
