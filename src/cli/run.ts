import { readFileSync } from 'node:fs';
import { EXIT_CODES, StartError } from '../errors.ts';
import { commandOf, type Command } from './command.ts';
import { generateGraph } from './generate-graph.ts';
import { helpText } from './help.ts';
import type { Host } from './host.ts';
import { parseArgs } from './parse-args.ts';
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
      host.write(`${version()}\n`);
      return 0;
    case 'generate-graph':
      return generateGraph(command, host);
    case 'serve':
      return serve(command, host);
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

// The message and the innermost frame, in one line.
function placeOf(error: unknown): string {
  const { stack } = error as Partial<Error>;
  const lines = (stack ?? String(error)).split('\n').map((line) => line.trim());
  const frame = lines.find((line) => line.startsWith('at '));
  return [lines[0], frame].filter(Boolean).join(' ');
}
