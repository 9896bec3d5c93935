import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileFault, StartError } from '../errors.ts';
import { download, type Downloaded } from './download.ts';
import { hashFile } from './file-hash.ts';
import type { Hub, HubFile } from './hub.ts';

/** A model to download. */
export interface Pull {
  /** As `ORG/NAME`. */
  readonly model: string;
  /** The ONNX file, relative to the model. */
  readonly modelFile: string;
  /** The folder that gets the files. */
  readonly folder: string;
  /** What comes first: what there is to download, and of which commit. */
  readonly onFound: (files: readonly HubFile[]) => void;
  /** Called as bytes of a file come, with all that are there so far. */
  readonly onBytes: (file: HubFile, bytes: number) => void;
  /** Called when a file is there; its name is yet to change. */
  readonly onFile: (file: HubFile, downloaded: Downloaded) => void;
}

/** Files without which a model can't be served. */
const REQUIRED = ['config.json', 'tokenizer.json'];

/** Files that a model may have. */
const OPTIONAL = [
  'tokenizer_config.json',
  'special_tokens_map.json',
  'modules.json',
  'sentence_bert_config.json',
  '1_Pooling/config.json',
];

/**
 * Downloads the files of a model. Until all are there and right, each has `.part` behind its name, so a folder
 * never has some files of the new model and some of the old.
 *
 * @param hub - Has the model.
 * @param pull - The model and where it goes.
 * @throws {@link StartError} `usage`: the hub has no such model, or the model lacks a file; `unavailable`: the hub
 * can't be reached, refuses, or gives something else than it says; `io`: the disk is full or can't be written.
 */
export async function pullModel(hub: Hub, pull: Pull): Promise<void> {
  const files = await filesOf(hub, pull);
  pull.onFound(files);
  const parts: string[] = [];
  for (const file of files) {
    const target = join(pull.folder, file.name);
    const there = await unchanged(file, target);
    if (there !== null) {
      pull.onFile(file, there);
      continue;
    }
    makeFolder(dirname(target));
    const onBytes = pull.onBytes.bind(null, file);
    pull.onFile(file, await download(hub, { file, part: `${target}.part`, onBytes }));
    parts.push(target);
  }
  for (const target of parts) renameSync(`${target}.part`, target);
}

async function filesOf(hub: Hub, { model, modelFile }: Pull): Promise<readonly HubFile[]> {
  const [first = '', ...required] = REQUIRED;
  const config = await hub.find(model, first);
  if (config === null) {
    throw new StartError(
      'usage',
      `--source_model: the hub at ${hub.host} has no model ${JSON.stringify(model)} with a ${first}`,
    );
  }
  // All files are of the commit that the first one is of, whatever is changed meanwhile.
  const revision = config.commit ?? undefined;
  function find(name: string): Promise<HubFile | null> {
    return hub.find(model, name, revision);
  }
  const needed = [...required, modelFile];
  const found = await Promise.all([...needed, ...OPTIONAL, `${modelFile}_data`].map(find));
  const missing = needed.find((_name, at) => found[at] === null);
  if (missing !== undefined) {
    const flag = missing === modelFile ? '--model_file' : '--source_model';
    throw new StartError('usage', `${flag}: the model ${JSON.stringify(model)} has no ${missing}`);
  }
  return [config, ...found.filter((file) => file !== null)];
}

// What is there already, if its checksum says that it is the file of the hub.
async function unchanged({ sha256 }: HubFile, target: string): Promise<Downloaded | null> {
  if (sha256 === null) return null;
  const { bytes, hash } = await hashFile(target);
  return hash.digest('hex') === sha256 ? { bytes, sha256 } : null;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StartError('io', `Cannot make the folder ${folder}: ${fileFault(error)}`, error);
  }
}
