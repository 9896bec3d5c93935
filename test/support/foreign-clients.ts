import { createRequire } from 'node:module';
import { describeIf } from './describe-if.ts';
import { folderOf } from './open-servable.ts';

/** They have a folder of their own, since not every package of theirs can be installed on every machine. */
const FOLDER = 'test/clients';

const require = createRequire(folderOf(`${FOLDER}/package.json`));

/**
 * Loads a package of test/clients, from npm and not ours.
 *
 * @param name - Of the package.
 * @returns What it exports; the caller says what that is.
 */
export function requireClient(name: string): unknown {
  try {
    return require(name) as unknown;
  } catch (cause) {
    throw new Error(`Cannot load ${name}: see ${FOLDER} in CONTRIBUTING.md`, { cause });
  }
}

/**
 * Declares tests of clients from npm. Where one can't be loaded they are skipped, with the reason; on CI they fail.
 *
 * @param names - Of the packages.
 * @param tests - Declares them.
 */
export function describeClients(names: readonly string[], tests: () => void): void {
  describeIf({ missing: missingOf(names) }, names.join(', '), tests);
}

function missingOf(names: readonly string[]): string | null {
  try {
    for (const name of names) requireClient(name);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
