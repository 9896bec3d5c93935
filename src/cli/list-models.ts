import { loadConfig } from '../config/load.ts';
import { shownPath } from '../config/source.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import type { Host } from './host.ts';
import type { ManageCommand } from './manage-command.ts';
import { defaultConfig } from './serve.ts';

/** What a command line that lists models asks for. */
export type ListModels = Extract<ManageCommand, { kind: 'list-models' }>;

/**
 * Lists the models of a config file: a line for each with its name, what it is for and its folder.
 *
 * @param command - The file.
 * @param host - Gets the lines.
 * @returns The exit code.
 * @throws `StartError` `config`: as for a server that would be started with the file.
 */
export function listModels({ configPath }: ListModels, host: Host): number {
  const { models } = loadConfig(configPath ?? defaultConfig(), {
    nodeTypes: NODE_TYPES,
    overrides: { server: {}, node: {} },
  });
  for (const { name, node } of models) {
    const { modelsPath } = node.options as { readonly modelsPath: string };
    host.write(`${name}: ${node.type}, ${shownPath(modelsPath, '')}\n`);
  }
  return 0;
}
