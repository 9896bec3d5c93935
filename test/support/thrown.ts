/**
 * What a function throws, for a look at more than its message.
 *
 * @param call - Expected to throw.
 * @returns The error, or null if there is none.
 */
export function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}
