import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** How far a run has come; kept beside the output until it is whole. */
export interface Progress {
  /** What must be the same for a run to go on: input, model, dimensions. */
  readonly job: string;
  /** Line that comes next, from 0. */
  readonly nextLine: number;
  readonly rows: number;
  readonly failed: number;
  readonly dimensions: number | null;
  readonly outputBytes: number;
  readonly errorBytes: number;
}

/**
 * @param output - File of the vectors.
 * @returns Path of the file beside it.
 */
export function progressPath(output: string): string {
  return `${output}.progress`;
}

/**
 * Reads how far a run has come.
 *
 * @param path - As {@link progressPath} says.
 * @returns `null` if there is no such file.
 */
export async function readProgress(path: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Progress;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Replaces the file in one step, so that it is whole whenever the machine stops.
 *
 * @param path - As {@link progressPath} says.
 * @param progress - What the files hold by now.
 */
export async function writeProgress(path: string, progress: Progress): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(progress));
  await rename(`${path}.new`, path);
}

/**
 * Removes the file of a run that is whole.
 *
 * @param path - As {@link progressPath} says.
 */
export async function removeProgress(path: string): Promise<void> {
  await rm(path, { force: true });
}
