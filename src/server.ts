import { readFileSync } from 'node:fs';
import type { ModelSettings, Settings } from './config/settings.ts';
import { StartError } from './errors.ts';
import type { NodeType } from './graph/node-type.ts';
import { NODE_TYPES } from './graph/nodes/index.ts';
import { Registry } from './graph/registry.ts';
import type { Models, Servable } from './graph/servable.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/app.ts';
import { listen } from './http/listen.ts';
import type { Listener } from './http/listen.ts';
import { usableCpus } from './inference/cpus.ts';
import { openEngine } from './inference/open-engine.ts';
import type { EngineHost } from './inference/open-engine.ts';
import { CpuPermits } from './inference/permits.ts';
import { Shutdown } from './ops/shutdown.ts';
import { openTokenizer } from './tokenizer/index.ts';

/** Tells the operator something, in one line. */
export type ServerLog = (
  level: 'TRACE' | 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** What a server needs of its process. */
export interface ServerOptions {
  readonly log: ServerLog;
}

/** A server at work. */
export interface RunningServer {
  /** As `http://localhost:8000`. */
  readonly url: string;
  /** The port that was bound. */
  readonly port: number;
  readonly models: Models;
  /** Resolves when every model is ready; rejects with a `StartError` when one cannot be served. */
  readonly ready: Promise<void>;
  /** Ends in phases. Resolves when all is closed: true if no request was cut. */
  readonly shutdown: () => Promise<boolean>;
  /** Ends at once: open requests are cut. */
  readonly stop: () => Promise<void>;
}

/** Last phase of a shutdown: how long cut answers may take to reach their clients, in ms. */
const LAST_WORDS_MS = 250;

const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

/**
 * Starts a server: the port is bound first, so that probes are answered while models load.
 *
 * @param settings - From `loadConfig()` or `loadModel()`.
 * @param options - Where to tell things.
 * @returns The server, which loads its models.
 * @throws {@link StartError} `unavailable`: the port cannot be bound.
 */
export async function startServer(
  settings: Settings,
  { log }: ServerOptions,
): Promise<RunningServer> {
  const shutdown = new Shutdown();
  const cpus = usableCpus();
  const engineHost: EngineHost = {
    workerUrl: new URL('./inference/worker.js', import.meta.url),
    cpus,
    permits: new CpuPermits(cpus),
  };
  const { restBindAddress: host, restPort: port } = settings.server;
  const pending = { list: () => [], find: () => undefined };
  let models: Models = pending;
  const app = createApp({
    models: { list: () => models.list(), find: (name) => models.find(name) },
    phase: () => shutdown.phase(),
    version: VERSION,
    onInternalError: (error, requestId) => {
      log('ERROR', 'Internal error', { requestId, error });
    },
    onRequest: ({ totalMs, ...event }) => {
      log('DEBUG', 'Request', { ...event, totalMs: Math.round(totalMs * 100) / 100 });
    },
  });
  const listener = await listen(app, { host, port });
  const registry = new Registry(
    settings.models.map((model) => ({
      name: model.name,
      open: () => open(model, { engineHost, log }),
    })),
    Math.floor(Date.now() / 1000),
  );
  models = registry;
  return serverOf({ settings, app, listener, registry, shutdown });
}

interface Host {
  readonly engineHost: EngineHost;
  readonly log: ServerLog;
}

function open({ name, node }: ModelSettings, { engineHost, log }: Host): Promise<Servable> {
  const types: readonly NodeType<never, Servable>[] = NODE_TYPES;
  const type = types.find((candidate) => candidate.type === node.type);
  if (!type) throw new StartError('config', `model "${name}": unknown node type "${node.type}"`);
  function warn(message: string): void {
    log('WARNING', message, { model: name });
  }
  return type.open({
    name,
    options: node.options as never,
    fault: node.fault,
    warn,
    openTokenizer: (options) =>
      openTokenizer(options, {
        xenovaWorkerUrl: new URL('./tokenizer/xenova-worker.js', import.meta.url),
        warn,
      }),
    openEngine: (options) => openEngine(engineHost, options),
  });
}

interface Parts {
  readonly settings: Settings;
  readonly app: App;
  readonly listener: Listener;
  readonly registry: Registry;
  readonly shutdown: Shutdown;
}

function serverOf({ settings, app, listener, registry, shutdown }: Parts): RunningServer {
  const { drainDelayS, graceS } = settings.server;
  async function close(): Promise<void> {
    listener.closeAll();
    await registry.close();
  }
  return {
    url: listener.url,
    port: listener.port,
    models: registry,
    ready: registry.opened(),
    shutdown: async () => {
      const isWhole = await shutdown.begin({
        drainDelayMs: drainDelayS * 1000,
        graceMs: graceS * 1000,
        stopAccepting: () => {
          void listener.stopAccepting();
          listener.closeIdle();
        },
        idle: () => app.idle(),
        cutRemaining: async () => {
          app.cutOff();
          await Promise.race([app.idle(), new Promise((end) => setTimeout(end, LAST_WORDS_MS))]);
        },
      });
      await close();
      return isWhole;
    },
    stop: async () => {
      void listener.stopAccepting();
      app.cutOff();
      await close();
    },
  };
}
