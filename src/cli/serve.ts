import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig, loadModel } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { NODE_TYPES } from '../graph/nodes/index.ts';
import { openLog, type Log } from '../ops/logger.ts';
import { startServer, type RunningServer } from '../server.ts';
import type { Command } from './command.ts';
import { FLAG_NAMES } from './flags.ts';
import type { Host } from './host.ts';
import { readyText } from './ready-text.ts';

/** What a command line that serves asks for. */
export type Serve = Extract<Command, { kind: 'serve' }>;

/**
 * Serves until the process is told to end.
 *
 * @param command - What to serve.
 * @param host - Gets the ready text and the log, and says when to end.
 * @returns The exit code: 0, or 1 if a request was cut. Does not return when a model has failed: then
 *   the process is killed, for its supervisor to start another.
 * @throws `StartError`: the configuration, a model or the port cannot be used.
 */
export async function serve(command: Serve, host: Host): Promise<number> {
  const settings = settingsOf(command);
  const { logLevel: level } = settings.server;
  const { log, close } = openLog({ level, fd: host.errorFd, isTerminal: host.isTerminal });
  try {
    return await serveUntilTerminated(settings, host, log);
  } finally {
    await close();
  }
}

async function serveUntilTerminated(settings: Settings, host: Host, log: Log): Promise<number> {
  const terminated = host.terminated();
  const faultText = host.env['TENSORGATE_FAULT_TEXT'] ?? null;
  const server = await startServer(settings, { log, env: host.env, faultText });
  log('INFO', 'Listening', { url: server.url });
  await readyOrTerminated(server, terminated, () => {
    host.write(readyText(server.url, server.models.list()));
  });
  const cause = await Promise.race([
    terminated.then((signal) => ({ signal })),
    server.failed.then((failed) => ({ failed })),
  ]);
  log('failed' in cause ? 'ERROR' : 'INFO', 'Shutting down', cause);
  const isWhole = await server.shutdown();
  if ('failed' in cause) host.kill();
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
  const options = { nodeTypes: NODE_TYPES, overrides, flags: FLAG_NAMES };
  if ('configPath' in source) return loadConfig(source.configPath ?? defaultConfig(), options);
  const { name, task } = source.model;
  return loadModel({ name, type: task, options: {} }, options);
}

/**
 * The config file that is served unless another is named.
 *
 * @returns That of the folder that the user is in, else the one that comes with the package.
 */
export function defaultConfig(): string {
  const here = 'config.yaml';
  return existsSync(here) ? here : fileURLToPath(new URL('../../config.yaml', import.meta.url));
}
