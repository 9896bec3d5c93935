import type { PerformanceClientError } from './errors.ts';
import type { LabelScore, RerankItem } from './decode/scores.ts';

/** A batch that failed, when a call goes on without it. */
export interface BatchError {
  readonly batchIndex: number;
  /** First input of the batch. */
  readonly start: number;
  /** One past its last input. */
  readonly end: number;
  readonly error: PerformanceClientError;
}

/** What every answer says about how its call went. */
export interface CallInfo {
  /** Seconds for the whole call. */
  total_time: number;
  /** Seconds for each batch, in their order, with retries, waits and reading. */
  individual_request_times: number[];
  /** Headers of each batch's answer; names in lower case. */
  response_headers: Record<string, string>[];
  /** Batches that failed, with `failFast: false` only. */
  errors?: BatchError[];
}

/** One embedding. */
export interface Embedding<V> {
  object: string;
  /** Place of its text in the call. */
  index: number;
  embedding: V;
}

/** Answer to `embed`. `V` is what a vector is. */
export interface EmbeddingsResponse<V = number[]> extends CallInfo {
  object: 'list';
  data: Embedding<V>[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
  /**
   * All vectors in one array: flat, row-major, `[texts, dimensions]`; a copy.
   *
   * @throws Error if texts failed, vectors differ in length or are text.
   */
  toFloat32Array: () => Float32Array;
}

/** Answer to `rerank`: ranked within each batch, batch after batch. */
export interface RerankResponse extends CallInfo {
  object: 'list';
  data: RerankItem[];
}

/** Answer to `classify`: the labels of each text. */
export interface ClassificationResponse extends CallInfo {
  object: 'list';
  data: LabelScore[][];
}

/** Answer to `batchPost`: what each request brought, in order. */
export interface BatchPostResponse extends CallInfo {
  data: unknown[];
}
