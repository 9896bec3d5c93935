const KIB = 1024;

/** Heading and text of each column. */
const COLUMNS = [
  ['workload', ({ workload }) => workload],
  ['system', ({ system }) => system],
  ['texts/s best', ({ best }) => digits(best, 1)],
  ['median', ({ median }) => digits(median, 1)],
  ['of ceiling: best', ({ bestOfCeiling }) => digits(bestOfCeiling, 2)],
  ['median', ({ medianOfCeiling }) => digits(medianOfCeiling, 2)],
  ['p50 ms', ({ p50Ms }) => digits(p50Ms, 2)],
  ['p99 ms', ({ p99Ms }) => digits(p99Ms, 2)],
  ['tokens/text', ({ tokensPerText }) => digits(tokensPerText, 1)],
  ['KiB sent', ({ bytesPerRequest }) => digits(scaled(bytesPerRequest, KIB), 1)],
  ['got', ({ bytesPerAnswer }) => digits(scaled(bytesPerAnswer, KIB), 1)],
  ['peak MiB', ({ peakRssBytes }) => digits(scaled(peakRssBytes, KIB * KIB), 0)],
  ['CPU ms/request', ({ cpuMsPerRequest }) => digits(cpuMsPerRequest, 2)],
  ['main thread', ({ mainThreadMsPerRequest }) => digits(mainThreadMsPerRequest, 3)],
  ['load', ({ loadCpuMsPerRequest }) => digits(loadCpuMsPerRequest, 3)],
  ['failed', ({ failed }) => String(failed)],
];

/** Columns of words; the others are numbers and end at the right. */
const WORD_COLUMNS = 2;

function digits(value, count) {
  return value === null || value === undefined ? '-' : value.toFixed(count);
}

function scaled(value, unit) {
  return value === null ? null : value / unit;
}

/**
 * A Markdown table of the summary, its columns aligned for reading as text.
 *
 * @param {ReturnType<import('./summary.mjs').summaryOf>} lines
 */
export function tableOf(lines) {
  const rows = [COLUMNS.map(([heading]) => heading)];
  for (const line of lines) rows.push(COLUMNS.map(([, cell]) => cell(line)));
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const rule = widths.map((width, column) => {
    return column < WORD_COLUMNS ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`;
  });
  return [rows[0], rule, ...rows.slice(1)].map((row) => textOf(row, widths)).join('\n');
}

function textOf(row, widths) {
  const cells = row.map((cell, column) => {
    return column < WORD_COLUMNS ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  });
  return `| ${cells.join(' | ')} |`;
}
