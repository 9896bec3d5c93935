import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describeIf } from './describe-if.ts';

/**
 * Finds a program of the system.
 *
 * @param name - As typed.
 * @returns Its path; null if it isn't installed.
 */
export function programPath(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/**
 * Declares tests that need a program of the system. Where it isn't installed they are skipped, with the reason in
 * their name and on stderr; on CI they fail if `.ci/run` installs it.
 *
 * @param program - Its name.
 * @param tests - Get its path.
 * @param isOnCi - Whether `.ci/run` installs it.
 */
export function describeProgram(
  program: string,
  tests: (path: string) => void,
  isOnCi: boolean,
): void {
  const path = programPath(program);
  const missing = path === null ? `${program} is not installed` : null;
  describeIf({ missing, isOnCi }, program, () => {
    tests(path ?? program);
  });
}
