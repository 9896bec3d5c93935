import { basename, dirname, relative, resolve, sep } from 'node:path';
import { loadModel, type FlagNames, type Overrides } from '../config/load.ts';
import type { NodeSettings } from '../config/settings.ts';
import { fileFault, StartError } from '../errors.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import type { ModelOptions } from '../graph/nodes/options.ts';
import { describeModel, maxLengthFault } from '../model-files/describe.ts';
import type { ModelDescription } from '../model-files/describe.ts';
import type { SchemaPart } from '../schema/wording.ts';
import type { Command } from './command.ts';
import { FLAG_NAMES } from './flags.ts';
import { graphText } from './graph-text.ts';
import type { Host } from './host.ts';
import { replaceFile, writeNew } from './write-file.ts';

/** What a command line that writes a graph asks for. */
export type GenerateGraph = Extract<Command, { kind: 'generate-graph' }>;

/** A graph file to write; paths are absolute or relative to the folder that the user is in. */
export interface GraphFile {
  readonly modelName: string;
  /** The type of its node. */
  readonly task: string;
  /** Folder of the model. */
  readonly modelPath: string;
  readonly graphPath: string;
  /** The file as config.yaml would name it. */
  readonly shownAs: string;
  /** Whether an existing file is replaced. */
  readonly overwrite: boolean;
  readonly overrides: Overrides;
  /** Flags that gave all this, where they aren't the usual ones. */
  readonly flags?: FlagNames;
}

/**
 * Writes a graph file for a model, and says so.
 *
 * @param command - The model, its options and the file.
 * @param host - Gets a line that says what was written.
 * @returns The exit code.
 * @throws {@link StartError} As of {@link writeGraph}.
 */
export function generateGraph(command: GenerateGraph, host: Host): number {
  const { model, graphPath, overwrite, overrides } = command;
  const modelName = model.name ?? basename(resolve(model.path));
  const shownAs = relativePath(resolve(''), resolve(graphPath));
  const { task, path: modelPath } = model;
  writeGraph({ modelName, task, modelPath, graphPath, shownAs, overwrite, overrides });
  host.write(`Wrote ${graphPath}\n`);
  return 0;
}

/**
 * Writes a graph file for a model, whole or not at all.
 *
 * @param graph - The file and what is in it.
 * @throws {@link StartError} `usage`: the file exists or cannot be written; `config`: the model cannot be used.
 */
export function writeGraph(graph: GraphFile): void {
  const { modelName, task, modelPath, graphPath, overrides } = graph;
  const node = { ...overrides.node, models_path: modelPath };
  const { models } = loadModel(
    { name: modelName, type: task, options: {} },
    {
      nodeTypes: NODE_TYPES,
      overrides: { ...overrides, node },
      flags: graph.flags ?? FLAG_NAMES,
    },
  );
  for (const model of models) checkModel(model.node);
  const modelsPath = relativePath(dirname(resolve(graphPath)), resolve(modelPath));
  const schema = NODE_TYPES.find(({ type }) => type === task)?.optionsSchema ?? {};
  const text = graphText({
    modelName,
    graphFile: graph.shownAs,
    type: task,
    optionsSchema: schema as SchemaPart,
    values: { ...node, models_path: modelsPath },
  });
  try {
    (graph.overwrite ? replaceFile : writeNew)(graphPath, text);
  } catch (error) {
    throw new StartError('usage', `--graph_path: ${faultOf(graphPath, error)}`, error);
  }
}

/**
 * Checks what the model's JSON files say of its options; the ONNX file and the tokenizer, which may take seconds to
 * open, are not looked into.
 *
 * @param node - The model and its options.
 * @throws {@link StartError} `config`: a JSON file cannot be used, or the model takes less than `max_length`.
 */
export function checkModel({ options, fault }: NodeSettings): void {
  const { modelsPath, maxLength } = options as ModelOptions;
  const { contextLength } = described(modelsPath, fault);
  const reason = maxLengthFault(maxLength, contextLength);
  if (reason !== null) throw fault(['max_length'], reason);
}

function described(folder: string, fault: NodeSettings['fault']): ModelDescription {
  try {
    return describeModel(folder);
  } catch (error) {
    throw error instanceof StartError ? fault(['models_path'], error.message) : error;
  }
}

/**
 * A path as files of ours write it, on every system.
 *
 * @param from - An absolute folder.
 * @param to - An absolute path.
 * @returns Relative to the folder, with slashes.
 */
export function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/');
  return path === '' ? '.' : path;
}

function faultOf(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST'
    ? `${file} exists already, and only --overwrite replaces it`
    : `cannot write ${file}: ${fileFault(error)}`;
}
