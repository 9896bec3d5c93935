/** The benchmark: starts the server, measures it, the ceiling and peers in interleaved rounds, prints a table. */
import { writeFileSync } from 'node:fs';
import { endChildren } from './child.mjs';
import { machine } from './machine.mjs';
import { HELP, benchOptions } from './options.mjs';
import { summaryOf } from './summary.mjs';
import { startSystems } from './systems.mjs';
import { tableOf } from './table.mjs';

/**
 * Each round measures each workload with each system, the systems one after another: what slows the machine
 * down for a while slows all of them. Every round starts with another system and has other texts.
 *
 * @returns {Promise<import('./summary.mjs').Measurement[]>}
 */
async function measureAll(systems, { workloads, rounds, seed }) {
  const measurements = [];
  for (let round = 0; round < rounds; round++) {
    for (const workload of workloads) {
      for (const place of systems.keys()) {
        const { name, ceiling, measure } = systems[(place + round) % systems.length];
        const outcome = await measure(workload, seed + round).then(
          (figures) => ({ figures }),
          (error) => ({ error: error.message }),
        );
        measurements.push({ round, workload, system: name, ceiling, ...outcome });
        progress(measurements.at(-1));
      }
    }
  }
  return measurements;
}

function progress({ round, workload, system, figures, error }) {
  const said = error ?? `${figures.textsPerSecond.toFixed(1)} texts/s`;
  const failure = figures?.firstFailure ? `, a request failed: ${figures.firstFailure}` : '';
  console.error(`round ${round + 1}, ${workload}, ${system}: ${said}${failure}`);
}

async function bench(options) {
  const systems = await startSystems(options);
  const measurements = await measureAll(systems, options);
  await Promise.all(systems.map(({ end }) => end?.()));
  const lines = summaryOf(measurements);
  const about = machine();
  console.log(`${Object.values(about).join(', ')}\n\n${tableOf(lines)}`);
  if (options.json) {
    const text = JSON.stringify({ machine: about, options, summary: lines, measurements }, null, 2);
    writeFileSync(options.json, `${text}\n`);
  }
  if (lines.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

async function main() {
  const options = benchOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void endChildren().then(() => process.exit(1)));
  }
  await bench(options);
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await endChildren();
}
