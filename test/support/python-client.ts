import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = resolve(ROOT, 'test/python/perf_client.py');

/** Interpreter with the packages of test/python/requirements.txt, or why there is none. */
export function pythonWithClient(): { readonly path: string } | { readonly missing: string } {
  const path = process.env['TENSORGATE_PYTHON'] ?? resolve(ROOT, '.venv/bin/python');
  if (!existsSync(path)) return { missing: `no Python interpreter at ${path}` };
  const { status } = spawnSync(path, ['-c', 'import baseten_performance_client']);
  return status === 0 ? { path } : { missing: 'baseten_performance_client is not installed' };
}

/** A call for the script: see test/python/perf_client.py. */
export interface PythonStep {
  readonly kind: 'embed' | 'rerank' | 'classify' | 'batch_post';
  readonly input: readonly unknown[];
  readonly model?: string;
  readonly format?: 'float' | 'base64';
  readonly query?: string;
  readonly path?: string;
  readonly preference?: Readonly<Record<string, unknown>>;
}

/** What a call gave. */
export interface PythonResult {
  readonly value?: unknown;
  readonly error?: string;
}

/** Runs calls with the Python client. */
export async function runPython(
  path: string,
  job: {
    readonly url: string;
    readonly http_version?: number;
    readonly steps: readonly PythonStep[];
  },
): Promise<PythonResult[]> {
  const child = spawn(path, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end(JSON.stringify(job));
  await once(child, 'close');
  return JSON.parse(output) as PythonResult[];
}
