/**
 * A piece of work that a closed loop had in flight; times in ms of one clock.
 *
 * @typedef {object} Span
 * @property {number} start
 * @property {number} end
 * @property {number} texts
 */

/** Spans that were in flight at some time of the window. */
export function spansWithin(spans, window) {
  return spans.filter(({ start, end }) => end > window.start && start < window.end);
}

/**
 * Texts/s in a window. A span that only partly falls in it counts by that part, so that a few long requests
 * are measured as well as many short ones.
 *
 * @param {readonly Span[]} spans
 * @param {{ start: number, end: number }} window
 */
export function textsPerSecond(spans, window) {
  let texts = 0;
  for (const span of spansWithin(spans, window)) {
    const inside = Math.min(span.end, window.end) - Math.max(span.start, window.start);
    texts += span.texts * (inside / (span.end - span.start));
  }
  return (texts * 1000) / (window.end - window.start);
}

/** Nearest rank; null of nothing. */
export function percentile(values, percent) {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** Of an even number, the mean of the two in the middle; null of nothing. */
export function median(values) {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** p50 and p99 of how long spans took, in ms. */
export function latencies(spans) {
  const durations = spans.map(({ start, end }) => end - start);
  return { p50Ms: percentile(durations, 50), p99Ms: percentile(durations, 99) };
}
