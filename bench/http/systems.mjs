import { runScript } from './child.mjs';
import { peakRssBytes, resetPeakRss } from './process-stats.mjs';
import { MODEL_NAME, VARIANTS, startServer } from './server-process.mjs';

/** Start-up, verification and the tail of a measurement. */
const EXTRA_MS = 120_000;

/**
 * What is measured: a server, or the ceiling.
 *
 * @typedef {object} System
 * @property {string} name
 * @property {string} ceiling Name of the ceiling that it is compared with
 * @property {(workload: string, seed: number) => Promise<object>} measure
 * @property {() => Promise<void>} [end]
 */

/**
 * Starts all that is to be measured.
 *
 * @param {ReturnType<import('./options.mjs').benchOptions>} options
 * @returns {Promise<System[]>}
 */
export async function startSystems(options) {
  const systems = [];
  for (const variant of options.variants) {
    const suffix = variant === 'exact' ? '' : ` ${variant}`;
    const ceiling = `ceiling${suffix}`;
    systems.push({ name: ceiling, ceiling, measure: ceilingMeasure(variant, options) });
    for (const { name, main } of options.builds) {
      const server = await startServer(main, variant);
      const target = { ...server, name: `${name}${suffix}`, ceiling, model: MODEL_NAME };
      systems.push(...targetSystems(target, options));
    }
  }
  for (const peer of options.peers) {
    const ceiling = systems[0].ceiling;
    systems.push(...targetSystems({ ...peer, ceiling }, options));
  }
  return systems;
}

function ceilingMeasure(variant, { seconds, warmup }) {
  const model_file = VARIANTS[variant].modelFile;
  return async (workload, seed) => {
    const flags = { workload, seed, seconds, warmup, model_file };
    const splits = await runScript('ceiling.mjs', flags, 2 * seconds * 1000 + EXTRA_MS);
    const [first] = Object.values(splits);
    return { ...first, splits };
  };
}

/** One system for each encoding. */
function targetSystems({ name, ceiling, end, ...target }, options) {
  return options.encodings.map((encoding, place) => ({
    name: options.encodings.length > 1 ? `${name} ${encoding}` : name,
    ceiling,
    measure: (workload, seed) =>
      measureTarget({ ...target, encoding }, { workload, seed, options }),
    ...(place === 0 && end ? { end } : {}),
  }));
}

async function measureTarget({ url, model, pid, encoding }, { workload, seed, options }) {
  const { seconds, warmup } = options;
  const flags = { url, model, encoding, workload, seed, seconds, warmup, ...(pid ? { pid } : {}) };
  if (pid) resetPeakRss(pid);
  const load = await runScript('load.mjs', flags, seconds * 1000 + EXTRA_MS);
  return { ...load, peakRssBytes: pid ? peakRssBytes(pid) : null };
}
