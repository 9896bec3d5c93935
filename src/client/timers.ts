/**
 * Lets a timer be one that keeps no process alive, where the runtime knows such ones: in browsers
 * a timer is a number.
 *
 * @param timer - As `setTimeout` gave it.
 */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  const handle = timer as { unref?: () => void };
  handle.unref?.();
}
