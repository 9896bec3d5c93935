import { readFileSync } from 'node:fs';
import { folderOf } from './open-servable.ts';

/** Where the models are. */
export const RERANKER_FOLDER = 'test/fixtures/tiny-reranker';
export const CLASSIFIER_FOLDER = 'test/fixtures/tiny-classifier';

/** What the reference gives for a query and its documents. */
export interface RankedExample {
  readonly query: string;
  readonly documents: readonly {
    readonly text: string;
    readonly tokens: number;
    readonly logit: number;
    readonly score: number;
  }[];
}

/** What the reference gives for a text. */
export interface ClassifiedExample {
  readonly text: string;
  readonly tokens: number;
  readonly logits: readonly number[];
  readonly scores: Readonly<Record<string, number>>;
}

function expectedOf(folder: string): unknown {
  return JSON.parse(readFileSync(folderOf(`${folder}/expected.json`), 'utf8'));
}

/** The reference of tiny-reranker; `tolerance` holds for logits and scores. */
export const RERANKER = expectedOf(RERANKER_FOLDER) as {
  readonly max_tokens: number;
  readonly tolerance: number;
  readonly queries: readonly RankedExample[];
};

/** The reference of tiny-classifier; `tolerance` holds for logits and scores. */
export const CLASSIFIER = expectedOf(CLASSIFIER_FOLDER) as {
  readonly labels: readonly string[];
  readonly max_tokens: number;
  readonly tolerance: number;
  readonly inputs: readonly ClassifiedExample[];
};

/** Tokens of all examples, special tokens included. */
export function tokensOf(examples: readonly { readonly tokens: number }[]): number {
  return examples.reduce((sum, { tokens }) => sum + tokens, 0);
}
