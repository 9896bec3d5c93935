import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig, loadModel } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import { startServer, type RunningServer } from '../server.ts';
import type { Command } from './command.ts';
import type { Host } from './host.ts';
import { lineLogger } from './log.ts';
import { readyText } from './ready-text.ts';

/** What a command line that serves asks for. */
export type Serve = Extract<Command, { kind: 'serve' }>;

/**
 * Serves until the process is told to end.
 *
 * @param command - What to serve.
 * @param host - Gets the ready text and the log, and says when to end.
 * @returns The exit code: 0, or 1 if a request was cut.
 * @throws `StartError`: the configuration, a model or the port cannot be used.
 */
export async function serve(command: Serve, host: Host): Promise<number> {
  const settings = settingsOf(command);
  const { logLevel: level } = settings.server;
  const log = lineLogger({ level, write: host.writeError, now: () => new Date() });
  const terminated = host.terminated();
  const server = await startServer(settings, { log });
  log('INFO', 'Listening', { url: server.url });
  await readyOrTerminated(server, terminated, () => {
    host.write(readyText(server.url, server.models.list()));
  });
  log('INFO', 'Shutting down', { signal: await terminated });
  const isWhole = await server.shutdown();
  if (!isWhole) log('WARNING', 'Requests were cut when the grace was over');
  return isWhole ? 0 : 1;
}

async function readyOrTerminated(
  server: RunningServer,
  terminated: Promise<string>,
  onReady: () => void,
): Promise<void> {
  try {
    const isReady = await Promise.race([
      server.ready.then(() => true),
      terminated.then(() => false),
    ]);
    if (isReady) onReady();
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function settingsOf({ source, overrides }: Serve): Settings {
  const options = { nodeTypes: NODE_TYPES, overrides };
  if ('configPath' in source) return loadConfig(source.configPath ?? defaultConfig(), options);
  const { name, task } = source.model;
  return loadModel({ name, type: task, options: {} }, options);
}

// That of the folder that the user is in, else the one that comes with the package.
function defaultConfig(): string {
  const here = 'config.yaml';
  return existsSync(here) ? here : fileURLToPath(new URL('../../config.yaml', import.meta.url));
}
