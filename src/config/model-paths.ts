import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileFault } from '../errors.ts';
import { isInside, shownPath, type Source } from './source.ts';
import type { ValuePath } from './yaml.ts';

/** The options of a node, and where they stand. */
export interface NodeOptionsAt {
  readonly source: Source;
  /** The object of the source that holds the options. */
  readonly at: ValuePath;
  /** The folder that the user is in; '' for that of the process. */
  readonly cwd: string;
}

/** Options that name a file in the folder `models_path`, in every type of node that has them. */
const FILE_OPTIONS: readonly ValuePath[] = [['model_file'], ['tokenizer', 'file']];

function valueAt(options: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
    options,
  );
}

// Why a path can't be used, or null.
function faultOf(path: string, kind: 'file' | 'folder'): string | null {
  try {
    const found = statSync(path);
    if (kind === 'folder' ? !found.isDirectory() : !found.isFile()) return `it is not a ${kind}`;
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return fileFault(error);
  }
}

/**
 * Checks that the folder of a model is there, and the files in it that options name.
 *
 * @param options - As written, checked and with defaults.
 * @param where - Where they stand.
 * @throws {@link StartError} `config`: located at the option of the first that can't be used.
 */
export function checkModelPaths(options: unknown, { source, at, cwd }: NodeOptionsAt): void {
  const folderAt = [...at, 'models_path'];
  const written = valueAt(options, ['models_path']);
  if (typeof written !== 'string') return;
  const folder = resolve(source.baseOf(folderAt), written);
  const fault = faultOf(folder, 'folder');
  if (fault !== null) {
    throw source.fault(folderAt, `cannot use ${shownPath(folder, cwd)}: ${fault}`);
  }
  for (const option of FILE_OPTIONS) {
    const name = valueAt(options, option);
    if (typeof name !== 'string') continue;
    const file = resolve(folder, name);
    const reason = isInside(folder, file) ? faultOf(file, 'file') : 'it is outside of models_path';
    if (reason !== null) {
      throw source.fault([...at, ...option], `cannot use ${shownPath(file, cwd)}: ${reason}`);
    }
  }
}
