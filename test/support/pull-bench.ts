import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { startLocalHub, type LocalFile, type LocalHub } from './local-hub.ts';
import { ROOT, runToEnd, type Outcome, type ProcessOptions } from './server-process.ts';
import { tempFolder, type TempFolder } from './temp-folder.ts';

const TINY = join(ROOT, 'test/fixtures/tiny-bert-embeddings');

/** Name of the large file. */
export const ONNX = 'onnx/model.onnx';

/** The model on the hub of a {@link PullBench}. */
export const MODEL = 'acme/tiny';

/** A command line that downloads {@link MODEL}. */
export const PULL = ['--pull', '--source_model', MODEL, '--model_repository_path', 'models'];

/** What is on the hub. */
export const FILES: ReadonlyMap<string, LocalFile> = new Map(
  ['config.json', 'tokenizer.json', 'tokenizer_config.json', '1_Pooling/config.json', ONNX].map(
    (name) => {
      const content = readFileSync(join(TINY, name === ONNX ? 'model.onnx' : name));
      return [name, { content, isLarge: name === ONNX }];
    },
  ),
);

/** A hub and a folder to download into. */
export interface PullBench {
  readonly hub: LocalHub;
  readonly folder: TempFolder;
  /** Where and how a command is run. */
  readonly options: (env?: Readonly<Record<string, string>>) => ProcessOptions;
  /** Runs {@link PULL} with more flags to its end. */
  readonly pull: (...flags: readonly string[]) => Promise<Outcome>;
  /** Files in the folder, sorted. */
  readonly there: () => readonly string[];
  /** Resolves when that many bytes of the large file are on the disk. */
  readonly partHas: (bytes: number) => Promise<void>;
  /** The ranges of all GETs of the large file. */
  readonly ranges: () => readonly (string | null)[];
  readonly remove: () => Promise<void>;
}

/**
 * Starts a hub with a model, beside an empty folder.
 *
 * @param more - Files that the model has besides.
 * @returns Both, which the test removes.
 */
export async function pullBench(
  more: ReadonlyMap<string, LocalFile> = new Map(),
): Promise<PullBench> {
  const folder = tempFolder();
  const hub = await startLocalHub(MODEL, new Map([...FILES, ...more]));
  function options(env: Readonly<Record<string, string>> = {}): ProcessOptions {
    return { cwd: folder.path, env: { HF_ENDPOINT: hub.url, HF_TOKEN: '', ...env } };
  }
  return {
    hub,
    folder,
    options,
    pull: (...flags) => runToEnd([...PULL, ...flags], options()),
    there: () =>
      readdirSync(folder.path, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
        .sort(),
    partHas: (bytes) => grown(join(folder.path, 'models', MODEL, `${ONNX}.part`), bytes),
    ranges: () =>
      hub.requests
        .filter(({ method, file, isStorage }) => method === 'GET' && file === ONNX && isStorage)
        .map(({ range }) => range),
    remove: async () => {
      await hub.stop();
      folder.remove();
    },
  };
}

function grown(file: string, bytes: number): Promise<void> {
  const parent = join(file, '..');
  mkdirSync(parent, { recursive: true });
  return new Promise((resolve) => {
    const watcher = watch(parent, look);
    function look(): void {
      if (!existsSync(file) || statSync(file).size < bytes) return;
      watcher.close();
      resolve();
    }
    look();
  });
}

/**
 * What a failed run says.
 *
 * @param outcome - Of the run.
 * @returns Its code, and its only line that isn't about progress.
 */
export function fault({ code, stderr }: Outcome): { code: number | null; line: string } {
  const lines = stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Downloading '));
  expect(lines).toHaveLength(1);
  return { code, line: lines[0] ?? '' };
}
