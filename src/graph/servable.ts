import type { AdmittedBatch, BatchLimits } from '../limits/admit.ts';
import type { RequestScope } from '../scope.ts';
import type { Float32Tensor } from '../tensor.ts';
import type { EncodeOptions, TokenSequence } from '../tokenizer/tokenizer.ts';

/** ms that the stages of a request took. */
export interface Timings {
  readonly tokenizeMs: number;
  readonly queueMs: number;
  readonly runMs: number;
}

/** What is wanted of an embeddings model, and for whom. */
export interface EmbedOptions {
  readonly output: 'pooled' | 'tokens';
  /** The request field that held the inputs, named in errors. */
  readonly param: string;
  /** Overrides of the node's options for this request; absent: as configured. */
  readonly truncate?: 'left' | 'right' | 'never';
  readonly normalize?: boolean;
  readonly scope: RequestScope;
}

/** Embeddings in the order of the inputs. */
export interface EmbedResult {
  /** For each input: [dimensions], or [tokens, dimensions]. Views. */
  readonly embeddings: readonly Float32Tensor[];
  /** Special tokens included, padding excluded. */
  readonly promptTokens: number;
  readonly timings: Timings;
}

/** What all servables have. */
export interface ServableBase {
  /** The name that clients send as `model`. */
  readonly name: string;
  readonly limits: BatchLimits;
  readonly tokenize: (
    texts: readonly string[],
    options: EncodeOptions,
  ) => Promise<readonly TokenSequence[]>;
  readonly close: () => Promise<void>;
}

/** A model that embeds, under the name that clients send. */
export interface EmbeddingsServable extends ServableBase {
  readonly task: 'embeddings';
  /** Size of a pooled embedding. */
  readonly dimensions: number;
  /** Whether the model gives token rows; false where its only output is pooled. */
  readonly hasTokenRows: boolean;
  readonly embed: (batch: AdmittedBatch, options: EmbedOptions) => Promise<EmbedResult>;
}

/** A model under the name that clients send, told apart by `task`. */
export type Servable = EmbeddingsServable;

/** What a model is for. */
export type Task = Servable['task'];

/** Where a model is in its life. */
export type ModelState = 'loading' | 'ready' | 'failed';

/** What routes see of a configured model. */
export interface ModelStatus {
  readonly name: string;
  /** Seconds since 1970, when the model was configured. */
  readonly created: number;
  readonly state: ModelState;
  /** Only when ready. */
  readonly servable: Servable | null;
  /** Why it failed; null unless it did. Fit for clients: no paths. */
  readonly reason: string | null;
}

/** The models by name. */
export interface Models {
  /** In the order of the configuration. */
  readonly list: () => readonly ModelStatus[];
  readonly find: (name: string) => ModelStatus | undefined;
}
