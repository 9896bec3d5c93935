import { requireClient } from './foreign-clients.ts';

/** The npm package of Baseten's client, which speaks HTTP/2 with prior knowledge and nothing else. */
export const NPM_PERFORMANCE_CLIENT = '@basetenlabs/performance-client';

/** What a call of the client gives. */
export interface Listed<Item> {
  readonly data: readonly Item[];
}

/** An answer of the embeddings call. */
export interface ListedEmbeddings extends Listed<{
  readonly index: number;
  readonly embedding: readonly number[];
}> {
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

/** Its methods, as far as tests use them; each ends in the requests in flight and the texts of a request. */
export interface NpmPerformanceClient {
  embed: (
    input: readonly string[],
    model: string,
    ...more: readonly unknown[]
  ) => Promise<ListedEmbeddings>;
  rerank: (
    query: string,
    texts: readonly string[],
    ...more: readonly unknown[]
  ) => Promise<Listed<{ readonly index: number; readonly score: number; readonly text?: string }>>;
  classify: (
    inputs: readonly string[],
    ...more: readonly unknown[]
  ) => Promise<Listed<readonly { readonly label: string; readonly score: number }[]>>;
  batchPost: (path: string, payloads: readonly unknown[]) => Promise<Listed<unknown>>;
}

interface Package {
  readonly PerformanceClient: new (url: string, apiKey: string) => NpmPerformanceClient;
}

/** The client, for a server without a key. */
export function npmPerformanceClient(url: string): NpmPerformanceClient {
  const { PerformanceClient } = requireClient(NPM_PERFORMANCE_CLIENT) as Package;
  return new PerformanceClient(url, 'unused');
}
