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
  /** The end that is cut where the node's option says so; right unless given. */
  readonly side?: 'left' | 'right';
  readonly normalize?: boolean;
  /** Numbers that pooled embeddings are cut to, at most the model's; all of them unless given. */
  readonly dimensions?: number;
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

/** What clients and operators are told of a model beyond its limits. */
export interface ModelFacts {
  /** By their keys in the model's object, in snake_case. */
  readonly fields: Readonly<Record<string, string | number | readonly string[]>>;
  /** What comes out for one input: its name, and its shape, which is empty for a number. */
  readonly output: { readonly name: string; readonly shape: readonly number[] };
}

/** How texts are tokenized for a client. */
export interface TokenizeOptions extends EncodeOptions {
  /** The request field that held the texts, named in errors. */
  readonly param: string;
}

/** What all servables have. */
export interface ServableBase {
  /** The name that clients send as `model`. */
  readonly name: string;
  readonly limits: BatchLimits;
  readonly facts: ModelFacts;
  /** @throws `ServeError` `input_too_long`, for a text of more tokens than anyone is given. */
  readonly tokenize: (
    texts: readonly string[],
    options: TokenizeOptions,
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

/** How inputs that are scored or classified are read, and for whom. */
export interface ScoreOptions {
  /** The request field that held the inputs, named in errors. */
  readonly param: string;
  /** Overrides the node's option `truncate` for this request; absent: as configured. */
  readonly truncate?: 'left' | 'right' | 'never';
  /** The end that is cut where the node is configured to cut; right unless given. */
  readonly side?: 'left' | 'right';
  /** Whether scores are given as the model computes them, not as probabilities. */
  readonly raw: boolean;
  readonly scope: RequestScope;
}

/** Scores of the inputs, in their order. All are finite. */
export interface ScoreResult {
  /** [inputs]: higher is more relevant. */
  readonly scores: Float64Array;
  /** Special tokens included, padding excluded; those of the query as often as the model read it. */
  readonly promptTokens: number;
  readonly timings: Timings;
}

/** A model that says how relevant documents are to a query. */
export interface RerankServable extends ServableBase {
  readonly task: 'rerank';
  /** @throws `ServeError` `input_too_long`, with the param `query` where it's the query's fault. */
  readonly score: (
    query: string,
    documents: AdmittedBatch,
    options: ScoreOptions,
  ) => Promise<ScoreResult>;
}

/** Scores of the labels for each input, in the order of the inputs. All are finite. */
export interface ClassifyResult {
  /** For each input [labels], in the order of {@link ClassifyServable.labels}. */
  readonly scores: readonly Float64Array[];
  /** Special tokens included, padding excluded. */
  readonly promptTokens: number;
  readonly timings: Timings;
}

/** A model that says which labels fit a text or a pair of texts. */
export interface ClassifyServable extends ServableBase {
  readonly task: 'classify';
  readonly labels: readonly string[];
  readonly classify: (batch: AdmittedBatch, options: ScoreOptions) => Promise<ClassifyResult>;
}

/** A model under the name that clients send, told apart by `task`. */
export type Servable = EmbeddingsServable | RerankServable | ClassifyServable;

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
