const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'its symbolic links go in a circle'],
]);

/**
 * Why a file can't be used, in words.
 *
 * @param error - What `node:fs` threw.
 * @returns Such as `no such file or folder`; no path in it.
 */
export function fileFault(error: unknown): string {
  const { code = 'unknown error' } = error as { readonly code?: string };
  return REASONS.get(code) ?? code;
}
