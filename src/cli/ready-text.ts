import type { ModelStatus, Task } from '../graph/servable.ts';

/** A request to try for each task: where it goes, and its fields beside the model. */
const EXAMPLES: Readonly<
  Record<Task, { readonly path: string; readonly [field: string]: unknown }>
> = {
  embeddings: { path: '/v3/embeddings', input: 'Hello, world' },
  rerank: { path: '/v3/rerank', query: 'a greeting', documents: ['Hello, world', 'A volcano'] },
  classify: { path: '/classify', input: ['Hello, world'] },
};

/**
 * What is printed when a server is ready: where it is, what it serves, and a command to try it.
 *
 * @param url - Of the server.
 * @param models - All ready.
 * @returns Lines, with a line break at the end.
 */
export function readyText(url: string, models: readonly ModelStatus[]): string {
  const [first] = models;
  const { path, ...fields } = EXAMPLES[first?.servable?.task ?? 'embeddings'];
  const request = JSON.stringify({ model: first?.name ?? '', ...fields });
  return [
    `Ready on ${url}`,
    ...models.map(modelLine),
    'Try it:',
    `  curl ${url}${path} -H 'Content-Type: application/json' -d ${shellQuoted(request)}`,
    '',
  ].join('\n');
}

function modelLine({ name, servable }: ModelStatus): string {
  if (servable === null) return `  ${name}`;
  const { task, facts, limits } = servable;
  const fields = Object.entries(facts.fields).map(
    ([key, value]) => `${key} ${typeof value === 'object' ? value.join('|') : value}`,
  );
  const bounds = [
    `context_length ${limits.contextLength}`,
    `max_batch_size ${limits.maxBatchSize}`,
  ];
  return `  ${name}: ${[task, ...fields, ...bounds].join(', ')}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
