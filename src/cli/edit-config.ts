import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { readSource } from '../config/source.ts';
import { changeList, type ListChange } from '../config/yaml.ts';
import { fileFault, StartError } from '../errors.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import { usage } from './flag.ts';
import { checkModel, relativePath, writeGraph } from './generate-graph.ts';
import type { Host } from './host.ts';
import type { ManageCommand, NewGraph } from './manage-command.ts';
import { replaceFile } from './write-file.ts';

/** What a command line that adds a model asks for. */
export type AddToConfig = Extract<ManageCommand, { kind: 'add-to-config' }>;

/** What a command line that removes a model asks for. */
export type RemoveFromConfig = Extract<ManageCommand, { kind: 'remove-from-config' }>;

/** The file in the folder that the user is in; never the one that comes with the package. */
const DEFAULT_CONFIG = 'config.yaml';

/** A config file without models, as a start for the first. */
const NEW_CONFIG = 'models: []\n';

/**
 * Adds a model to a config file, which is made if it isn't there; writes a graph for it first, if asked.
 *
 * @param command - The model and the files.
 * @param host - Gets a line that says what was done.
 * @returns The exit code.
 * @throws {@link StartError} `usage`, `config` or `io`: nothing was changed.
 */
export function addToConfig(command: AddToConfig, host: Host): number {
  const { name } = command;
  const file = command.configPath ?? DEFAULT_CONFIG;
  const text = existsSync(file) ? textOf(file) : NEW_CONFIG;
  if (namesIn(file, text).includes(name)) {
    throw usage(`--model_name: ${JSON.stringify(name)} is already a model of ${file}`);
  }
  const graphPath = command.graphPath ?? join(dirname(file), 'graphs', `${fileName(name)}.yaml`);
  const graph = relativePath(dirname(resolve(file)), resolve(graphPath));
  const undo = command.graph === null ? null : write(command.graph, { name, graphPath, graph });
  try {
    change(file, { text, list: { add: { name, graph } } });
  } catch (error) {
    undo?.();
    throw error;
  }
  if (undo !== null) host.write(`Wrote ${graphPath}\n`);
  host.write(`Added ${name} to ${file}\n`);
  return 0;
}

/**
 * Removes a model from a config file; its graph file stays.
 *
 * @param command - The model and the file.
 * @param host - Gets a line that says what was done.
 * @returns The exit code.
 * @throws {@link StartError} `usage`, `config` or `io`: nothing was changed.
 */
export function removeFromConfig({ configPath, name }: RemoveFromConfig, host: Host): number {
  const file = configPath ?? DEFAULT_CONFIG;
  const text = textOf(file);
  const names = namesIn(file, text);
  const index = names.indexOf(name);
  if (index === -1) {
    const known = names.map((each) => String(each)).join(', ');
    throw usage(`--model_name: ${file} has no model ${JSON.stringify(name)}, only ${known}`);
  }
  if (names.length === 1) {
    throw usage(`--model_name: ${file} has no model but ${JSON.stringify(name)}, and needs one`);
  }
  change(file, { text, list: { remove: index } });
  host.write(`Removed ${name} from ${file}\n`);
  return 0;
}

function unreadable(file: string): (reason: string) => StartError {
  return (reason) => new StartError('config', `${file}: cannot read the file: ${reason}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file)(fileFault(error));
  }
}

// Of what is in the list, whatever it is: the loader says what is wrong with it.
function namesIn(file: string, text: string): readonly unknown[] {
  // Read from the file where there is one, so that bytes that aren't UTF-8 are found.
  const given = existsSync(file) ? undefined : text;
  const read = { file, cwd: '', text: given, unreadable: unreadable(file) };
  const { values, fault } = readSource(read);
  const models = (values as { readonly models?: unknown } | null)?.models;
  if (!Array.isArray(models)) throw fault(['models'], 'must be a list of models');
  return models.map((entry: unknown) => (entry as { readonly name?: unknown } | null)?.name);
}

interface Change {
  readonly text: string;
  readonly list: ListChange;
}

// What the server would refuse to start with never gets into the file, as far as files other than the ONNX file and
// the tokenizer show it.
function change(file: string, { text, list }: Change): void {
  const configText = changeList(text, ['models'], list);
  if (configText === null) {
    throw new StartError('config', `${file}: models: cannot be changed where aliases are used`);
  }
  const overrides = { server: {}, node: {} };
  const { models } = loadConfig(file, { nodeTypes: NODE_TYPES, overrides, configText });
  const added = 'add' in list ? models.at(-1) : undefined;
  if (added !== undefined) checkModel(added.node);
  try {
    replaceFile(file, configText);
  } catch (error) {
    throw new StartError('io', `Cannot write ${file}: ${fileFault(error)}`, error);
  }
}

/** Where a graph goes and how it is named. */
interface GraphAt {
  readonly name: string;
  readonly graphPath: string;
  /** As in the config file. */
  readonly graph: string;
}

// Gives a function that puts things back as they were.
function write(graph: NewGraph, { name, graphPath, graph: shownAs }: GraphAt): () => void {
  const before = existsSync(graphPath) ? readFileSync(graphPath, 'utf8') : null;
  const folder = madeFolder(dirname(graphPath));
  function undo(): void {
    if (before === null) rmSync(graphPath, { force: true });
    else replaceFile(graphPath, before);
    if (folder !== null) rmdirSync(folder);
  }
  try {
    writeGraph({ ...graph, modelName: name, graphPath, shownAs });
  } catch (error) {
    if (folder !== null) rmdirSync(folder);
    throw error;
  }
  return undo;
}

// The folder, if it wasn't there.
function madeFolder(folder: string): string | null {
  if (existsSync(folder)) return null;
  try {
    mkdirSync(folder);
    return folder;
  } catch (error) {
    throw new StartError('io', `Cannot make the folder ${folder}: ${fileFault(error)}`, error);
  }
}

// As the graph of org/name is called: name.
function fileName(model: string): string {
  const [last = ''] = model.split('/').slice(-1);
  const name = last.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '');
  return name === '' ? 'model' : name;
}
