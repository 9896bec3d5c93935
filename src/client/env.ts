/**
 * @param name - As it is written.
 * @returns Value of an environment variable, or `undefined` where it is unset or the runtime has
 * none.  Read through `globalThis`, so that the build for browsers and edge runtimes can use it,
 * too.
 */
export function readEnv(name: string): string | undefined {
  const host = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return host.process?.env?.[name];
}
