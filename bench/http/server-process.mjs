import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startNode } from './child.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const READY_TIMEOUT_MS = 60_000;

export const MODEL_NAME = 'sentence-transformers/all-MiniLM-L6-v2';

/**
 * The model files that can be measured.
 *
 * @type {Readonly<Record<string, { modelFile: string, graph: string }>>}
 */
export const VARIANTS = Object.freeze({
  exact: { modelFile: 'model.onnx', graph: 'graphs/all-MiniLM-L6-v2.yaml' },
  int8: { modelFile: 'model_int8.onnx', graph: 'graphs/all-MiniLM-L6-v2-int8.yaml' },
});

/**
 * A server at work.
 *
 * @typedef {object} ServerProcess
 * @property {number} pid
 * @property {string} url Of the embeddings route
 * @property {() => Promise<void>} end
 */

/**
 * Starts a build of the server with one model, on a free port.
 *
 * @param {string} main The build's `main.js`
 * @param {string} variant
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(main, variant) {
  const folder = mkdtempSync(join(tmpdir(), 'tensorgate-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.yaml');
  writeFileSync(config, configText(folder, variant));
  const args = [resolve(main), '--config_path', config, '--rest_port', '0'];
  const child = startNode(args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => endChild(child);
  try {
    const origin = await readyOrigin(child);
    return { pid: child.pid, url: `${origin}/v3/embeddings`, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The repository's own graph if it has one for this model file, so that what users run is measured. */
function configText(folder, variant) {
  const { modelFile, graph } = VARIANTS[variant];
  let graphFile = resolve(ROOT, graph);
  if (!existsSync(graphFile)) {
    graphFile = join(folder, 'graph.yaml');
    const options = {
      models_path: resolve(ROOT, 'models/all-MiniLM-L6-v2'),
      model_file: modelFile,
    };
    const node = { name: 'EmbeddingsExecutor', type: 'embeddings', options };
    writeFileSync(graphFile, JSON.stringify({ nodes: [node] }));
  }
  return JSON.stringify({ models: [{ name: MODEL_NAME, graph: graphFile }] });
}

/** The first URL that the server prints says where it listens. */
async function readyOrigin(child) {
  const lines = createInterface({ input: child.stdout });
  const found = new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const match = /http:\/\/[^\s/'"]+:\d+/.exec(line);
      if (match) resolve(match[0].replace('localhost', '127.0.0.1'));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with exit code ${code}`)));
  });
  const timeout = sleep(READY_TIMEOUT_MS, null, { ref: false });
  const origin = await Promise.race([found, timeout]);
  if (!origin) throw new Error('The server printed no URL');
  return origin;
}
