import type { ModelSettings, Settings } from './config/settings.ts';
import { StartError } from './errors.ts';
import type { NodeType } from './graph/node-type.ts';
import { NODE_TYPES } from './graph/nodes/index.ts';
import { Registry } from './graph/registry.ts';
import type { Servable } from './graph/servable.ts';
import { openEngine } from './inference/open-engine.ts';
import type { EngineHost } from './inference/open-engine.ts';
import type { Log } from './ops/logger.ts';
import type { OpenEngines } from './inference/open-engines.ts';
import { openTokenizer } from './tokenizer/index.ts';

/** What models are opened with. */
export interface ModelsHost {
  /** What all engines share. */
  readonly engineHost: Omit<EngineHost, 'onFailure'>;
  readonly engines: OpenEngines;
  /** For drills: the worker that gets exactly this text dies; null: none does. */
  readonly faultText: string | null;
  readonly log: Log;
  /** Told when a model that was ready cannot run any more, and why. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Starts to open the models of a configuration.
 *
 * @param settings - Names and nodes.
 * @param host - What they are opened with.
 * @returns The models by name, loading.
 */
export function openModels({ models }: Settings, host: ModelsHost): Registry {
  const registry = new Registry(
    models.map((model) => ({
      name: model.name,
      open: () =>
        openModel(model, {
          host,
          onFailure: (reason) => {
            fail(model.name, reason);
          },
        }),
    })),
    Math.floor(Date.now() / 1000),
  );
  function fail(name: string, reason: string): void {
    registry.fail(name, reason);
    host.onFailure(`model "${name}": ${reason}`);
  }
  return registry;
}

interface OpenParts {
  readonly host: ModelsHost;
  readonly onFailure: (reason: string) => void;
}

function openModel(
  { name, node }: ModelSettings,
  { host, onFailure }: OpenParts,
): Promise<Servable> {
  const { engineHost, engines, faultText, log } = host;
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
    faultText,
    openEngine: async (options) => {
      const engine = await openEngine({ ...engineHost, onFailure }, options);
      engines.add(name, engine);
      return engine;
    },
  });
}
