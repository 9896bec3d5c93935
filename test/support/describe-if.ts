/** What some tests need. */
export interface Requirement {
  /** Why it isn't there; null: it is. */
  readonly missing: string | null;
  /** Whether `.ci/run` installs it: yes unless given. */
  readonly isOnCi?: boolean;
}

/**
 * Declares tests that need what isn't on every machine. Where it's missing they are skipped, with the reason in their
 * name and on stderr; on CI they fail.
 *
 * @param requirement - What they need.
 * @param name - Of the tests.
 * @param tests - Declares them.
 */
export function describeIf(
  { missing, isOnCi = true }: Requirement,
  name: string,
  tests: () => void,
): void {
  if (missing === null) {
    describe(name, tests);
    return;
  }
  if (isOnCi && process.env['CI'] === 'true') {
    test(`${name} (${missing})`, () => {
      throw new Error(missing);
    });
    return;
  }
  process.stderr.write(`Skipped: ${name}: ${missing}\n`);
  describe.skip(`${name} (${missing})`, tests);
}
