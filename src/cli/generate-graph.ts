import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileFault } from '../config/file-fault.ts';
import { loadModel } from '../config/load.ts';
import { StartError } from '../errors.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import type { SchemaPart } from '../schema/wording.ts';
import type { Command } from './command.ts';
import { graphText } from './graph-text.ts';
import type { Host } from './host.ts';

/** What a command line that writes a graph asks for. */
export type GenerateGraph = Extract<Command, { kind: 'generate-graph' }>;

/**
 * Writes a graph file for a model, whole or not at all.
 *
 * @param command - The model, its options and the file.
 * @param host - Gets a line that says what was written.
 * @returns The exit code.
 * @throws {@link StartError} `usage`: the file exists or cannot be written; `config`: the model cannot be used.
 */
export function generateGraph(command: GenerateGraph, host: Host): number {
  const { model, graphPath, overwrite, overrides } = command;
  const modelName = model.name ?? basename(resolve(model.path));
  // Finds what serving it would find: the folder, its files and every option.
  loadModel(
    { name: modelName, type: model.task, options: {} },
    { nodeTypes: NODE_TYPES, overrides },
  );
  const modelsPath = relativePath(dirname(resolve(graphPath)), resolve(model.path));
  const schema = NODE_TYPES.find(({ type }) => type === model.task)?.optionsSchema ?? {};
  const text = graphText({
    modelName,
    graphFile: `graphs/${basename(graphPath)}`,
    type: model.task,
    optionsSchema: schema as SchemaPart,
    values: { ...overrides.node, models_path: modelsPath },
  });
  writeWhole(graphPath, { text, overwrite });
  host.write(`Wrote ${graphPath}\n`);
  return 0;
}

// As graph files write paths, on every system.
function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/');
  return path === '' ? '.' : path;
}

function writeWhole(
  file: string,
  { text, overwrite }: { readonly text: string; readonly overwrite: boolean },
): void {
  const beside = resolve(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    // A link fails where the name is taken, also if it was taken just now; a rename would replace.
    if (overwrite) renameSync(beside, file);
    else linkSync(beside, file);
  } catch (error) {
    throw new StartError('usage', `--graph_path: ${faultOf(file, error)}`, error);
  } finally {
    rmSync(beside, { force: true });
  }
}

function faultOf(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST'
    ? `${file} exists already, and only --overwrite replaces it`
    : `cannot write ${file}: ${fileFault(error)}`;
}
