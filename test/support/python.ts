import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeIf } from './describe-if.ts';
import { ROOT } from './server-process.ts';

/** The interpreter that has the packages of test/python/requirements.txt. */
const INTERPRETER = process.env['TENSORGATE_PYTHON'] ?? resolve(ROOT, '.venv/bin/python');

const run = promisify(execFile);

/**
 * Declares tests that need the Python clients. Where there is no interpreter they are skipped, with the
 * reason; on CI they fail.
 */
export function describePython(name: string, tests: () => void): void {
  const missing = existsSync(INTERPRETER) ? null : `no Python clients at ${INTERPRETER}`;
  describeIf({ missing }, name, tests);
}

/**
 * Runs a script of test/python.
 *
 * @param script - Its name, without `.py`.
 * @param args - Of its command line.
 * @returns The JSON that it prints; rejects with its stderr if it fails.
 */
export async function runPython(script: string, args: readonly string[]): Promise<unknown> {
  const file = resolve(ROOT, 'test/python', `${script}.py`);
  const { stdout } = await run(INTERPRETER, [file, ...args], {
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as unknown;
}
