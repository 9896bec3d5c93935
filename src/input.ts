/** A query with its document, scored together. */
export interface TextPair {
  readonly first: string;
  readonly second: string;
}

/** What is embedded, scored or classified. */
export type Input = string | TextPair;
