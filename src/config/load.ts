import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { StartError } from '../errors.ts';
import { compileSchema } from '../schema/compile.ts';
import { checkModelPaths } from './model-paths.ts';
import {
  type FlagNames,
  flagSource,
  type FlagsFrom,
  type OptionValues,
  withOverrides,
} from './overrides.ts';
import { deepFreeze, resolveSettings } from './resolve.ts';
import {
  CONFIG_SCHEMA,
  graphSchema,
  MODEL_KEYS,
  nodeSchema,
  type NodeTypeSchema,
  SERVER_SCHEMA,
} from './schema.ts';
import type { ModelSettings, NodeSettings, ServerSettings, Settings } from './settings.ts';
import { readSource, shownPath, type Source } from './source.ts';
import type { ValuePath } from './yaml.ts';

export type { FlagNames } from './overrides.ts';
export type { NodeTypeSchema } from './schema.ts';

/** Values from flags; they beat the files. */
export interface Overrides {
  /** Keys of `server:`, in snake_case. */
  readonly server: OptionValues;
  /** Options of every node, in snake_case. */
  readonly node: OptionValues;
}

/** What configuration is loaded with. */
export interface LoadOptions {
  readonly nodeTypes: readonly NodeTypeSchema[];
  readonly overrides: Overrides;
  /** The flags that overrides and models come from, named in faults; by default faults name the setting. */
  readonly flags?: FlagNames;
  /** The folder that relative paths of the user start from; that of the process unless given. */
  readonly cwd?: string;
  /** What config.yaml is to hold, to check it before it does; by default what it holds. */
  readonly configText?: string;
}

/** A model that is served without files, from flags alone. */
export interface ModelFlags {
  readonly name: string;
  /** The type of its node. */
  readonly type: string;
  /** In snake_case, paths relative to the folder that the user is in. */
  readonly options: OptionValues;
}

/** An entry of `models:`, as checked by the schema. */
interface ModelEntry {
  readonly name: string;
  readonly graph: string;
}

/** A node, as checked by the schema. */
interface NodeEntry {
  readonly name: string;
  readonly type: string;
  readonly options: unknown;
}

/** A graph file, as checked by the schema. */
interface GraphFile {
  readonly nodes: readonly [NodeEntry];
}

/** The file config.yaml, as checked by the schema. */
interface ConfigFile {
  readonly server: unknown;
  readonly models: readonly ModelEntry[];
}

/** What flags say, as checked by the schema. */
interface FlagsEntry {
  readonly server: unknown;
  readonly node: NodeEntry;
}

type Check = ReturnType<typeof compileSchema>;

// Throws the first fault of a source; without one, its values are as the schema says.
function checked({ values, fault }: Source, check: Check): unknown {
  const found = check(values);
  if (found !== null) throw fault(found.path, found.reason);
  return values;
}

function flagsFrom({ cwd = '', flags = new Map() }: LoadOptions): FlagsFrom {
  return { cwd, flags };
}

function serverOf(values: unknown, source: Source): ServerSettings {
  const place = { path: ['server'], baseOf: source.baseOf };
  const settings = resolveSettings(values, SERVER_SCHEMA, place) as ServerSettings;
  return { ...settings, restBindAddress: withoutBrackets(settings.restBindAddress) };
}

// As in URLs: `[::1]` is the address `::1`.
function withoutBrackets(address: string): string {
  const inside = /^\[(.*)\]$/.exec(address)?.[1] ?? '';
  return isIPv6(inside) ? inside : address;
}

/** Where a node stands, and what is known of nodes. */
interface NodeAt {
  readonly source: Source;
  readonly at: ValuePath;
  readonly options: LoadOptions;
}

function nodeOf(
  { name, type, options }: NodeEntry,
  { source, at, options: load }: NodeAt,
): NodeSettings {
  const optionsAt = [...at, 'options'];
  checkModelPaths(options, { source, at: optionsAt, cwd: load.cwd ?? '' });
  const schema = load.nodeTypes.find((nodeType) => nodeType.type === type)?.optionsSchema ?? {};
  return {
    name,
    type,
    options: resolveSettings(options, schema, { path: optionsAt, baseOf: source.baseOf }),
    fault: (option, reason) => source.fault([...optionsAt, ...option], reason),
  };
}

// Throws at the second model of a name.
function checkNames(models: readonly ModelEntry[], source: Source): void {
  const first = new Map<string, number>();
  for (const [index, { name }] of models.entries()) {
    const other = first.get(name);
    if (other !== undefined) {
      const reason = `${JSON.stringify(name)} is already the name of models[${other}]`;
      throw source.fault(['models', index, 'name'], reason);
    }
    first.set(name, index);
  }
}

/** A configuration and how its graph files are checked. */
interface GraphContext {
  readonly config: Source;
  readonly check: Check;
  readonly options: LoadOptions;
}

function loadGraph(entry: ModelEntry, index: number, context: GraphContext): ModelSettings {
  const { config, check, options } = context;
  const { cwd = '' } = options;
  const graphAt = ['models', index, 'graph'];
  const file = resolve(config.baseOf(graphAt), entry.graph);
  const graph = readSource({
    file,
    cwd,
    unreadable: (reason) => config.fault(graphAt, `cannot read ${shownPath(file, cwd)}: ${reason}`),
  });
  const at = ['nodes', 0];
  const overridesAt = { ...flagsFrom(options), at: [...at, 'options'] };
  const source = withOverrides(graph, options.overrides.node, overridesAt);
  const { nodes } = checked(source, check) as GraphFile;
  return { name: entry.name, node: nodeOf(nodes[0], { source, at, options }) };
}

/**
 * Loads config.yaml and its graph files.
 *
 * @param file - The path of config.yaml, as the user wrote it.
 * @param options - The node types, and flags that beat the files.
 * @returns Everything that a server is started with, frozen: checked, defaults filled in, keys in
 * camelCase, paths absolute.
 * @throws {@link StartError} `config`: `file:line: path: reason`, or `--flag: reason`.
 */
export function loadConfig(file: string, options: LoadOptions): Settings {
  const { cwd = '', overrides, nodeTypes } = options;
  const written = readSource({
    file,
    cwd,
    text: options.configText,
    unreadable: (reason) =>
      new StartError('config', `${shownPath(file, cwd)}: cannot read the file: ${reason}`),
  });
  const config = withOverrides(written, overrides.server, {
    ...flagsFrom(options),
    at: ['server'],
  });
  const check = compileSchema(CONFIG_SCHEMA, { defaults: true });
  const { server, models } = checked(config, check) as ConfigFile;
  checkNames(models, config);
  const checkGraph = compileSchema(graphSchema(nodeTypes), { defaults: true });
  const context = { config, check: checkGraph, options };
  return deepFreeze({
    server: serverOf(server, config),
    models: models.map((entry, index) => loadGraph(entry, index, context)),
  });
}

function flagSchema({ nodeTypes }: LoadOptions): object {
  return {
    type: 'object',
    required: ['name', 'server', 'node'],
    properties: { name: MODEL_KEYS.name, server: SERVER_SCHEMA, node: nodeSchema(nodeTypes) },
  };
}

/**
 * Settings of a server with one model, from flags alone.
 *
 * @param model - What config.yaml and a graph file would say; overrides of the node beat its options.
 * @param options - The node types, and settings of the server as overrides.
 * @returns As of {@link loadConfig}.
 * @throws {@link StartError} `config`: `--flag: reason`; an option without a flag stands behind that of the
 * model, as `--model_path: tokenizer.file: reason`.
 */
export function loadModel(model: ModelFlags, options: LoadOptions): Settings {
  const { name, type } = model;
  const { server, node } = options.overrides;
  const from = flagsFrom(options);
  const given = flagSource({ name, node: { type, options: { ...model.options } } }, from);
  const withNode = withOverrides(given, node, { ...from, at: ['node', 'options'] });
  const source = withOverrides(withNode, server, { ...from, at: ['server'] });
  const check = compileSchema(flagSchema(options), { defaults: true });
  const values = checked(source, check) as FlagsEntry;
  return deepFreeze({
    server: serverOf(values.server, source),
    models: [{ name, node: nodeOf(values.node, { source, at: ['node'], options }) }],
  });
}
