import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Hub } from '../model-files/hub.ts';
import { pullModel } from '../model-files/pull.ts';
import { usage } from './flag.ts';
import { FLAG_NAMES } from './flags.ts';
import { relativePath, writeGraph } from './generate-graph.ts';
import type { Host } from './host.ts';
import type { ManageCommand } from './manage-command.ts';
import { downloadProgress, sizeText } from './progress.ts';

/** What a command line that downloads a model asks for. */
export type Pull = Extract<ManageCommand, { kind: 'pull' }>;

/** What is wrong with a downloaded model is told of the flag that names it. */
const PULL_FLAGS = new Map([...FLAG_NAMES, ['options.models_path', 'source_model']]);

/**
 * Downloads a model, writes a graph for it unless there is one, and says how to serve it.
 *
 * @param command - The model and where it goes.
 * @param host - Gets the progress, and has the address of the hub in its environment.
 * @returns The exit code.
 * @throws `StartError` `usage`, `unavailable`, `io` or `config`: files that aren't whole have `.part` behind their names.
 */
export async function pull(command: Pull, host: Host): Promise<number> {
  const { source, repository, modelFile, name, overwrite } = command;
  const folder = join(repository, ...source.split('/'));
  const graphPath = command.graphPath ?? join(folder, 'graph.yaml');
  if (command.graphPath !== null && existsSync(graphPath) && !overwrite) {
    throw usage(`--graph_path: ${graphPath} exists already, and only --overwrite replaces it`);
  }
  const hub = new Hub({ endpoint: given(host, 'HF_ENDPOINT'), token: given(host, 'HF_TOKEN') });
  const progress = downloadProgress(host);
  await pullModel(hub, {
    model: source,
    modelFile,
    folder,
    onFound: (files) => {
      const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0);
      const commit = files[0]?.commit ?? null;
      const at = commit === null ? '' : ` at ${commit}`;
      host.writeError(
        `Downloading ${source}${at} from ${hub.host}: ${files.length} files, ${sizeText(bytes)}\n`,
      );
    },
    ...progress,
  });
  if (!existsSync(graphPath) || overwrite) {
    writeGraph({
      modelName: name,
      task: command.task,
      modelPath: folder,
      graphPath,
      shownAs: shown(graphPath),
      overwrite,
      overrides: {
        server: {},
        node: { ...command.overrides.node, model_file: modelFile },
      },
      flags: PULL_FLAGS,
    });
    host.write(`Wrote ${graphPath}\n`);
  } else {
    host.write(`Kept ${graphPath}, since only --overwrite replaces it\n`);
  }
  host.write(servingText(name, shown(graphPath)));
  return 0;
}

function given({ env }: Host, variable: string): string | null {
  const value = env[variable];
  return value === undefined || value === '' ? null : value;
}

// As config.yaml in the folder that the user is in would name it.
function shown(file: string): string {
  return relativePath(resolve(''), resolve(file));
}

function servingText(name: string, graphPath: string): string {
  return [
    'These two lines under models: in config.yaml serve it, and --add_to_config adds them:',
    `  - name: ${JSON.stringify(name)}`,
    `    graph: ${JSON.stringify(graphPath)}`,
    '',
  ].join('\n');
}
