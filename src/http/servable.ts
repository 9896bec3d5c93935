import { ServeError } from '../errors.ts';
import type { Models, ModelStatus, Servable, Task } from '../graph/servable.ts';
import type { FindServable } from './route.ts';

/** Names that an error lists; the rest is counted. */
const LISTED_NAMES = 10;

/** Characters of a client's own text that an error repeats. */
const QUOTED_CHARACTERS = 200;

/**
 * The servable of a name, whatever its task.
 *
 * @param models - The served models.
 * @param name - As the client wrote it; compared exactly.
 * @returns The servable, which is ready.
 * @throws {@link ServeError} `model_not_found`, `model_loading`.
 */
export function readyServable(models: Models, name: string): Servable {
  const status = models.find(name);
  if (status === undefined) {
    throw new ServeError(
      'model_not_found',
      `Cannot find the model ${quoted(name)}: ${servedNames(models)}`,
      { param: 'model' },
    );
  }
  if (status.servable !== null) return status.servable;
  throw notReady(status);
}

/**
 * Makes the lookup that routes are given.
 *
 * @param models - The served models.
 * @returns The lookup.
 */
export function servableFinder(models: Models): FindServable {
  return (task, name) => {
    const servable = name === null ? onlyServable(models, task) : readyServable(models, name);
    if (isOf(servable, task)) return servable;
    throw new ServeError(
      'wrong_node_type',
      `Cannot use the model ${quoted(servable.name)} for ${task}: its node is of the type ${servable.task}`,
      { param: 'model' },
    );
  };
}

function isOf<T extends Task>(servable: Servable, task: T): servable is Servable & { task: T } {
  const actual: string = servable.task;
  return actual === task;
}

function onlyServable(models: Models, task: Task): Servable {
  const statuses = models.list();
  const [only, ...others] = statuses
    .flatMap(({ servable }) => servable ?? [])
    .filter((servable) => isOf(servable, task));
  if (only !== undefined && others.length === 0) return only;
  const loading = statuses.find(({ servable }) => servable === null);
  if (only === undefined && loading !== undefined) throw notReady(loading);
  const found = only === undefined ? 'none' : `${others.length + 1} models`;
  throw new ServeError(
    'invalid_field',
    `Cannot choose a model: "model" may be left out where exactly one is served for ${task}, and here it is ${found}; ${servedNames(models)}`,
    { param: 'model' },
  );
}

function notReady({ name, state, reason }: ModelStatus): ServeError {
  return new ServeError(
    'model_loading',
    state === 'failed'
      ? `Cannot use the model ${quoted(name)}: it failed: ${reason ?? 'see the log of the server'}`
      : `Cannot use the model ${quoted(name)} yet: it is still loading`,
    { param: 'model' },
  );
}

function servedNames(models: Models): string {
  const names = models.list().map(({ name }) => quoted(name));
  if (names.length === 0) return 'no model is served';
  const rest = names.length - LISTED_NAMES;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return `served ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, LISTED_NAMES).join(', ')}${more}`;
}

function quoted(text: string): string {
  const isLong = text.length > QUOTED_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text);
}
