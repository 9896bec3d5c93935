import { median } from './statistics.mjs';

/**
 * A measurement: what a system did with a workload in a round.
 *
 * @typedef {object} Measurement
 * @property {number} round
 * @property {string} workload
 * @property {string} system
 * @property {string} ceiling The system that it is compared with
 * @property {string} [error] Why there are no figures
 * @property {Record<string, any>} [figures]
 */

/** Figures of which the table shows the median over rounds. */
const MEDIANS = [
  'p50Ms',
  'p99Ms',
  'bytesPerRequest',
  'bytesPerAnswer',
  'tokensPerText',
  'cpuMsPerRequest',
  'mainThreadMsPerRequest',
  'loadCpuMsPerRequest',
];

/**
 * A line for each workload and system, in the order of the measurements.
 *
 * @param {readonly Measurement[]} measurements
 */
export function summaryOf(measurements) {
  const groups = new Map();
  for (const measurement of measurements) {
    const key = JSON.stringify([measurement.workload, measurement.system]);
    groups.set(key, [...(groups.get(key) ?? []), measurement]);
  }
  const lines = Array.from(groups.values(), (group) => lineOf(group, measurements));
  const workloads = [...new Set(measurements.map(({ workload }) => workload))];
  return lines.toSorted((a, b) => workloads.indexOf(a.workload) - workloads.indexOf(b.workload));
}

function lineOf(group, measurements) {
  const { workload, system, ceiling } = group[0];
  const measured = group.filter(({ figures }) => figures);
  const rates = measured.map(({ figures }) => figures.textsPerSecond);
  const isOwnCeiling = system === ceiling;
  const pairs = isOwnCeiling ? [] : pairsOf(measured, measurements);
  const line = {
    workload,
    system,
    best: maximum(rates),
    median: median(rates),
    bestOfCeiling: quotient(maximum(rates), maximum(pairs.map(([, limit]) => limit))),
    medianOfCeiling: median(pairs.map(([rate, limit]) => rate / limit)),
    peakRssBytes: maximum(valuesOf(measured, 'peakRssBytes')),
    failed:
      group.length - measured.length + sum(measured.map(({ figures }) => failuresOf(figures))),
  };
  for (const key of MEDIANS) line[key] = median(valuesOf(measured, key));
  return line;
}

/** The rates of a system and of its ceiling in the same rounds. */
function pairsOf(measured, measurements) {
  return measured.flatMap(({ round, workload, ceiling, figures }) => {
    const limit = measurements.find(
      (other) => other.round === round && other.workload === workload && other.system === ceiling,
    );
    return limit?.figures ? [[figures.textsPerSecond, limit.figures.textsPerSecond]] : [];
  });
}

function valuesOf(measured, key) {
  return measured.map(({ figures }) => figures[key]).filter((value) => typeof value === 'number');
}

function failuresOf({ failures = {} }) {
  return sum(Object.values(failures));
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function maximum(values) {
  return values.length === 0 ? null : Math.max(...values);
}

function quotient(value, of) {
  return value === null || of === null ? null : value / of;
}
