import type { Overrides } from '../config/load.ts';
import { usage, type FlagValues } from './flag.ts';
import { overridesOf, textOf } from './flag-overrides.ts';
import { FLAGS } from './flags.ts';

/** A model whose graph is to be written, and where. */
export interface NewGraph {
  /** Its node type. */
  readonly task: string;
  /** The model's folder, as typed. */
  readonly modelPath: string;
  readonly overrides: Overrides;
  readonly overwrite: boolean;
}

/** A command that manages models instead of serving them; paths are as typed, null: the default. */
export type ManageCommand =
  | { readonly kind: 'list-models'; readonly configPath: string | null }
  | {
      readonly kind: 'add-to-config';
      readonly configPath: string | null;
      readonly name: string;
      /** The graph file; null with a new graph: `graphs/NAME.yaml` beside the config file. */
      readonly graphPath: string | null;
      /** Null: the graph file is there already. */
      readonly graph: NewGraph | null;
    }
  | {
      readonly kind: 'remove-from-config';
      readonly configPath: string | null;
      readonly name: string;
    }
  | {
      readonly kind: 'pull';
      /** As `ORG/NAME`. */
      readonly source: string;
      /** The folder that holds models. */
      readonly repository: string;
      /** The ONNX file, as on the hub. */
      readonly modelFile: string;
      /** What the model is for. */
      readonly task: string;
      /** What clients send as model. */
      readonly name: string;
      /** The graph file; null: `graph.yaml` in the model's folder. */
      readonly graphPath: string | null;
      readonly overwrite: boolean;
      readonly overrides: Overrides;
    };

/** A switch that asks for a command. */
interface Action {
  readonly flag: string;
  /** Other flags without which it can't be. */
  readonly needs: readonly string[];
  /** Flags that it may have besides. */
  readonly takes: readonly string[];
  readonly command: (flags: FlagValues) => ManageCommand;
}

/** Flags that say what is in a graph file. */
const GRAPH_OPTIONS = FLAGS.filter(
  ({ name, overrides }) => overrides?.part === 'node' && name !== 'model_path',
).map(({ name }) => name);

const ACTIONS: readonly Action[] = [
  {
    flag: 'list_models',
    needs: [],
    takes: ['config_path'],
    command: (flags) => ({ kind: 'list-models', configPath: textOf(flags, 'config_path') }),
  },
  {
    flag: 'add_to_config',
    needs: ['model_name'],
    takes: ['config_path', 'graph_path', 'task', 'model_path', 'overwrite', ...GRAPH_OPTIONS],
    command: (flags) => ({
      kind: 'add-to-config',
      configPath: textOf(flags, 'config_path'),
      name: needed(flags, 'model_name'),
      graphPath: textOf(flags, 'graph_path'),
      graph: newGraphOf(flags),
    }),
  },
  {
    flag: 'remove_from_config',
    needs: ['model_name'],
    takes: ['config_path'],
    command: (flags) => ({
      kind: 'remove-from-config',
      configPath: textOf(flags, 'config_path'),
      name: needed(flags, 'model_name'),
    }),
  },
  {
    flag: 'pull',
    needs: ['source_model', 'model_repository_path'],
    takes: ['task', 'model_name', 'graph_path', 'overwrite', ...GRAPH_OPTIONS],
    command: pullOf,
  },
];

/** What only an action needs. */
const ACTION_FLAGS = ['source_model', 'model_repository_path'];

/** Names of models and files on a hub: nothing that leads out of a folder. */
const SOURCE_MODEL = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const MODEL_FILE = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.onnx$/;

/**
 * Decides what a command line with one of the switches for managing models asks for.
 *
 * @param flags - Those that were given.
 * @returns The command; null without such a switch.
 * @throws `StartError` `usage`: a flag that lacks another one, or doesn't go with it.
 */
export function manageCommandOf(flags: FlagValues): ManageCommand | null {
  const [action, other] = ACTIONS.filter(({ flag }) => flags.get(flag) === true);
  if (action === undefined) {
    const lone = ACTION_FLAGS.find((name) => flags.has(name));
    if (lone === undefined) return null;
    throw usage(`--${lone}: needs --pull, which downloads a model`);
  }
  if (other !== undefined) throw usage(`--${other.flag}: cannot be used with --${action.flag}`);
  const allowed = [...ACTIONS.map(({ flag }) => flag), ...action.needs, ...action.takes];
  for (const { name } of FLAGS) {
    if (flags.has(name) && !allowed.includes(name)) {
      throw usage(`--${name}: cannot be used with --${action.flag}`);
    }
  }
  for (const name of action.needs) {
    if (!flags.has(name)) throw usage(`--${action.flag}: needs --${name}`);
  }
  return action.command(flags);
}

function newGraphOf(flags: FlagValues): NewGraph | null {
  const modelPath = textOf(flags, 'model_path');
  const task = textOf(flags, 'task');
  if (modelPath === null) {
    const lone = ['task', 'overwrite', ...GRAPH_OPTIONS].find((name) => flags.has(name));
    if (lone !== undefined) throw usage(`--${lone}: needs --model_path, the model's folder`);
    if (flags.has('graph_path')) return null;
    throw usage('--add_to_config: needs --graph_path, or --task and --model_path');
  }
  if (task === null) throw usage('--model_path: needs --task, what the model is for');
  return {
    task,
    modelPath,
    overrides: overridesOf(flags),
    overwrite: flags.get('overwrite') === true,
  };
}

function pullOf(flags: FlagValues): ManageCommand {
  const source = needed(flags, 'source_model');
  if (!SOURCE_MODEL.test(source)) {
    throw usage(`--source_model: must be ORG/NAME as on the hub, not ${JSON.stringify(source)}`);
  }
  const modelFile = textOf(flags, 'model_file') ?? 'onnx/model.onnx';
  if (!MODEL_FILE.test(modelFile)) {
    throw usage(
      `--model_file: must be a path to an .onnx file in the model, not ${JSON.stringify(modelFile)}`,
    );
  }
  return {
    kind: 'pull',
    source,
    repository: needed(flags, 'model_repository_path'),
    modelFile,
    task: textOf(flags, 'task') ?? 'embeddings',
    name: textOf(flags, 'model_name') ?? source,
    graphPath: textOf(flags, 'graph_path'),
    overwrite: flags.get('overwrite') === true,
    overrides: overridesOf(flags),
  };
}

function needed(flags: FlagValues, name: string): string {
  return textOf(flags, name) ?? '';
}
