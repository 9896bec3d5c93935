import { median } from '../http/statistics.mjs';

/**
 * Times variants of one computation against each other. Rounds are interleaved and start with another variant
 * each time, so that what slows the machine down for a while slows all of them; the best round counts. Times
 * are CPU time of the process with all its threads, so that waiting for a busy machine doesn't count.
 *
 * @param {string} title
 * @param {Record<string, () => unknown>} variants The first is the one that others are compared with
 * @param {{ rounds?: number, roundMs?: number }} [options]
 */
export function compare(title, variants, { rounds = 15, roundMs = 100 } = {}) {
  const entries = Object.entries(variants).map(([name, run]) => {
    return { name, run, times: repetitions(run, roundMs), roundsMs: [] };
  });
  for (let round = 0; round < rounds; round++) {
    for (const place of entries.keys()) {
      const { run, times, roundsMs } = entries[(place + round) % entries.length];
      roundsMs.push(cpuMs(run, times) / times);
    }
  }
  const results = entries.map(({ name, roundsMs }) => {
    return { name, bestMs: Math.min(...roundsMs), medianMs: median(roundsMs) };
  });
  print(title, results);
  return results;
}

/** Results land here: a computation that nobody reads could be left out by the compiler. */
let sink;

function cpuMs(run, times) {
  const start = process.cpuUsage();
  for (let done = 0; done < times; done++) sink = run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How often a computation fits in a round; warms it up as well. */
function repetitions(run, roundMs) {
  let times = 1;
  for (;;) {
    const ms = cpuMs(run, times);
    if (ms >= roundMs / 2) return Math.max(1, Math.round((times * roundMs) / ms));
    times *= 2;
  }
}

function print(title, results) {
  const [{ bestMs: reference }] = results;
  console.log(title);
  for (const { name, bestMs, medianMs } of results) {
    const times = (reference / bestMs).toFixed(2);
    const figures = `best ${bestMs.toFixed(4)} ms, median ${medianMs.toFixed(4)} ms`;
    console.log(`  ${name.padEnd(28)} ${figures}, ${times} x as fast as the first`);
  }
  return sink;
}
