import { EXIT_CODES, StartError } from '../errors.ts';
import { VERSION } from '../server.ts';
import { commandOf, type Command } from './command.ts';
import { addToConfig, removeFromConfig } from './edit-config.ts';
import { generateGraph } from './generate-graph.ts';
import { helpText } from './help.ts';
import type { Host } from './host.ts';
import { listModels } from './list-models.ts';
import { parseArgs } from './parse-args.ts';
import type { Pull } from './pull.ts';
import { serve } from './serve.ts';

/** Exit code of a fault in the program. Source: BSD sysexits.h, EX_SOFTWARE. */
const SOFTWARE = 70;

/**
 * Does what a command line asks for.
 *
 * @param args - Without program and script.
 * @param host - The process that the command runs in.
 * @returns The exit code, once all is done; faults were told on stderr.
 */
export async function run(args: readonly string[], host: Host): Promise<number> {
  try {
    return await runCommand(commandOf(parseArgs(args)), host);
  } catch (error) {
    if (error instanceof StartError) {
      host.writeError(`${error.message}\n`);
      return EXIT_CODES[error.fault];
    }
    host.writeError(`Internal error, please report it: ${placeOf(error)}\n`);
    return SOFTWARE;
  }
}

function runCommand(command: Command, host: Host): number | Promise<number> {
  switch (command.kind) {
    case 'help':
      host.write(helpText());
      return 0;
    case 'version':
      host.write(`${VERSION}\n`);
      return 0;
    case 'generate-graph':
      return generateGraph(command, host);
    case 'list-models':
      return listModels(command, host);
    case 'add-to-config':
      return addToConfig(command, host);
    case 'remove-from-config':
      return removeFromConfig(command, host);
    case 'pull':
      return runPull(command, host);
    case 'serve':
      return serve(command, host);
  }
}

// Loaded only then: the library behind it takes longer to load than a server to start.
async function runPull(command: Pull, host: Host): Promise<number> {
  const { pull } = await import('./pull.ts');
  return pull(command, host);
}

// The message and the innermost frame, in one line.
function placeOf(error: unknown): string {
  const { stack } = error as Partial<Error>;
  const lines = (stack ?? String(error)).split('\n').map((line) => line.trim());
  const frame = lines.find((line) => line.startsWith('at '));
  return [lines[0], frame].filter(Boolean).join(' ');
}
