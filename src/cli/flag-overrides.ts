import type { Overrides } from '../config/load.ts';
import { usage, type FlagValues } from './flag.ts';
import { FLAGS } from './flags.ts';

/**
 * The settings that flags override.
 *
 * @param flags - Those that were given.
 * @returns Their values, by setting.
 * @throws `StartError` `usage`: a flag that the task doesn't take.
 */
export function overridesOf(flags: FlagValues): Overrides {
  const parts: Record<keyof Overrides, Record<string, unknown>> = { server: {}, node: {} };
  const task = textOf(flags, 'task');
  for (const { name, overrides, tasks } of FLAGS) {
    if (overrides === undefined || !flags.has(name)) continue;
    if (task !== null && tasks?.includes(task) === false) {
      throw usage(`--${name}: cannot be used with --task ${task}, only with ${tasks.join(', ')}`);
    }
    parts[overrides.part][overrides.key] = flags.get(name);
  }
  return parts;
}

/**
 * The value of a flag that takes text.
 *
 * @param flags - Those that were given.
 * @param name - Of the flag.
 * @returns As typed; null if it was not given.
 */
export function textOf(flags: FlagValues, name: string): string | null {
  const value = flags.get(name);
  return typeof value === 'string' ? value : null;
}
