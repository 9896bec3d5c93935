import type { Overrides } from '../config/load.ts';
import { usage, type FlagGroup, type FlagValues } from './flag.ts';
import { overridesOf, textOf } from './flag-overrides.ts';
import { FLAGS } from './flags.ts';
import { manageCommandOf, type ManageCommand } from './manage-command.ts';

/** A model that flags name. */
export interface FlagModel {
  /** Its node type. */
  readonly task: string;
  /** What clients send as model; null: not given. */
  readonly name: string | null;
  /** Folder, as typed. */
  readonly path: string;
}

/** A config file as typed, null for the default one, or a model. */
export type ServeSource =
  | { readonly configPath: string | null }
  | { readonly model: FlagModel & { readonly name: string } };

/** What a command line asks for. */
export type Command =
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'serve'; readonly source: ServeSource; readonly overrides: Overrides }
  | {
      readonly kind: 'generate-graph';
      readonly model: FlagModel;
      /** File, as typed. */
      readonly graphPath: string;
      readonly overwrite: boolean;
      readonly overrides: Overrides;
    }
  | ManageCommand;

/**
 * Decides what a command line asks for.
 *
 * @param flags - Those that were given.
 * @returns The command with all that it needs.
 * @throws `StartError` `usage`: flags that contradict each other, or that lack another one.
 */
export function commandOf(flags: FlagValues): Command {
  if (flags.get('help') === true) return { kind: 'help' };
  if (flags.get('version') === true) return { kind: 'version' };
  const manage = manageCommandOf(flags);
  if (manage !== null) return manage;
  refuseContradictions(flags);
  const overrides = overridesOf(flags);
  const model = modelOf(flags);
  const graphPath = textOf(flags, 'graph_path');
  if (model === null) {
    return { kind: 'serve', source: { configPath: textOf(flags, 'config_path') }, overrides };
  }
  if (graphPath !== null) {
    const overwrite = flags.get('overwrite') === true;
    return { kind: 'generate-graph', model, graphPath, overwrite, overrides };
  }
  const { name } = model;
  if (name === null) throw usage('--task: needs --model_name, what clients send as model');
  return { kind: 'serve', source: { model: { ...model, name } }, overrides };
}

function refuseContradictions(flags: FlagValues): void {
  const one = 'one model without a config file';
  if (!flags.has('task')) {
    refuse(flags, ['model', 'graph'], `needs --task, since it is about ${one}`);
  } else if (flags.has('config_path')) {
    throw usage(`--config_path: cannot be used with --task, which is for ${one}`);
  } else if (flags.has('graph_path')) {
    refuse(flags, ['serve'], 'cannot be used with --graph_path, which serves nothing');
  } else {
    refuse(flags, ['graph'], 'needs --graph_path, the file to write');
  }
}

// Names the first flag of some groups that was given.
function refuse(flags: FlagValues, groups: readonly FlagGroup[], reason: string): void {
  const flag = FLAGS.find(({ name, group }) => groups.includes(group) && flags.has(name));
  if (flag !== undefined) throw usage(`--${flag.name}: ${reason}`);
}

function modelOf(flags: FlagValues): FlagModel | null {
  const task = textOf(flags, 'task');
  if (task === null) return null;
  const path = textOf(flags, 'model_path');
  if (path === null) throw usage("--task: needs --model_path, the model's folder");
  return { task, name: textOf(flags, 'model_name'), path };
}
