import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Settings } from './config/settings.ts';
import type { Registry } from './graph/registry.ts';
import type { Models } from './graph/servable.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/app.ts';
import { listen } from './http/listen.ts';
import type { Listener } from './http/listen.ts';
import { usableCpus } from './inference/cpus.ts';
import type { EngineHost } from './inference/open-engine.ts';
import { OpenEngines } from './inference/open-engines.ts';
import { CpuPermits } from './inference/permits.ts';
import type { Log } from './ops/logger.ts';
import { openObservers } from './ops/observers.ts';
import type { Observers } from './ops/observers.ts';
import { openModels } from './open-models.ts';
import { Shutdown } from './ops/shutdown.ts';
import type { Environment } from './ops/tracing.ts';

/** What a server needs of its process. */
export interface ServerOptions {
  readonly log: Log;
  /** Environment variables, which switch tracing on; none unless given. */
  readonly env?: Environment;
  /** For drills: the worker that gets exactly this text dies. */
  readonly faultText?: string | null;
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
  /** Resolves with the reason when a model that was ready cannot run any more: time for a restart. */
  readonly failed: Promise<string>;
  /** Ends in phases. Resolves when all is closed: true if no request was cut. */
  readonly shutdown: () => Promise<boolean>;
  /** Ends at once: open requests are cut. */
  readonly stop: () => Promise<void>;
}

/** Last phase of a shutdown: how long cut answers may take to reach their clients, in ms. */
const LAST_WORDS_MS = 250;

/** The version of this package. */
export const VERSION = (
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
  { log, env = {}, faultText = null }: ServerOptions,
): Promise<RunningServer> {
  const shutdown = new Shutdown();
  const { restBindAddress, restPort } = settings.server;
  const pending = { list: () => [], find: () => undefined };
  let models: Models = pending;
  const engines = new OpenEngines();
  const observers = await openObservers({
    log,
    env,
    metricsEnable: settings.server.metricsEnable,
    state: {
      version: VERSION,
      openRequests: () => app.openRequests(),
      models: () => models.list(),
      loads: () => engines.loads(),
    },
  });
  const app = createApp({
    models: { list: () => models.list(), find: (name) => models.find(name) },
    metrics: observers.metrics,
    phase: () => shutdown.phase(),
    version: VERSION,
    zstdWorkerUrl: new URL('./http/zstd-worker.js', import.meta.url),
    onInternalError: (error, requestId) => {
      log('ERROR', 'Internal error', { id: requestId, error });
    },
  });
  const address = { host: restBindAddress, port: restPort };
  const listener = await listen(app, address).catch(async (error: unknown) => {
    await observers.close();
    throw error;
  });
  const failure = new EventEmitter();
  const failed = once(failure, 'failed').then(([reason]) => String(reason));
  const registry = openModels(settings, {
    engineHost: engineHostOf(settings),
    engines,
    faultText,
    log,
    onFailure: (reason) => failure.emit('failed', reason),
  });
  models = registry;
  return serverOf({ settings, app, listener, registry, shutdown, observers, failed });
}

function engineHostOf({ server }: Settings): Omit<EngineHost, 'onFailure'> {
  const cpus = usableCpus();
  return {
    workerUrl: new URL('./inference/worker.js', import.meta.url),
    cpus,
    permits: new CpuPermits(cpus),
    queueTokens: server.queueTokens ?? null,
  };
}

interface Parts {
  readonly settings: Settings;
  readonly app: App;
  readonly listener: Listener;
  readonly registry: Registry;
  readonly shutdown: Shutdown;
  readonly observers: Observers;
  readonly failed: Promise<string>;
}

function serverOf(parts: Parts): RunningServer {
  const { settings, app, listener, registry, shutdown, observers, failed } = parts;
  const { drainDelayS, graceS } = settings.server;
  async function close(): Promise<void> {
    listener.closeAll();
    await registry.close();
    await observers.close();
  }
  return {
    url: listener.url,
    port: listener.port,
    models: registry,
    ready: registry.opened(),
    failed,
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
