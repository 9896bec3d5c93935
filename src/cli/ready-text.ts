import type { ModelStatus } from '../graph/servable.ts';

/**
 * What is printed when a server is ready: where it is, what it serves, and a command to try it.
 *
 * @param url - Of the server.
 * @param models - All ready.
 * @returns Lines, with a line break at the end.
 */
export function readyText(url: string, models: readonly ModelStatus[]): string {
  const [first] = models;
  const request = JSON.stringify({ model: first?.name ?? '', input: 'Hello, world' });
  return [
    `Ready on ${url}`,
    ...models.map(modelLine),
    'Try it:',
    `  curl ${url}/v3/embeddings -H 'Content-Type: application/json' -d ${shellQuoted(request)}`,
    '',
  ].join('\n');
}

function modelLine({ name, servable }: ModelStatus): string {
  if (servable === null) return `  ${name}`;
  const { task, dimensions, limits } = servable;
  const facts = [
    task,
    `dimensions ${dimensions}`,
    `context_length ${limits.contextLength}`,
    `max_batch_size ${limits.maxBatchSize}`,
  ];
  return `  ${name}: ${facts.join(', ')}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
