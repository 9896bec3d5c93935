import type { FittedRows } from '../limits/fit.ts';
import type { RequestScope } from '../scope.ts';
import type { Float32Tensor } from '../tensor.ts';
import type { BatchBudget } from './batch-policy.ts';
import type { SessionInfo } from './session.ts';
import type { HeadSpec } from './work.ts';

/** How an engine is opened. */
export interface EngineOptions {
  /** The name that clients send as `model`, for events. */
  readonly model: string;
  /** Absolute path of an ONNX file. */
  readonly modelFile: string;
  /** Workers; each has a session and so a copy of the weights. */
  readonly numStreams: number | 'auto';
  /** Threads of each worker's session. */
  readonly intraOpNumThreads: number | 'auto';
  readonly budget: BatchBudget;
  readonly padTokenId: number;
  readonly positionOffset: number;
  readonly configEntries: Readonly<Record<string, string>>;
  /** Tokens of the longest row. */
  readonly contextLength: number;
}

/** What is wanted of the model, and for whom. */
export interface InferOptions {
  readonly head: HeadSpec;
  readonly scope: RequestScope;
}

/** One tensor for each row, in the order of the rows; views of the batches' buffers. */
export interface InferResult {
  readonly tensors: readonly Float32Tensor[];
  /** ms from the arrival of the rows to the start of the first batch that held one. */
  readonly queueMs: number;
  /** ms from then to the end of the last batch that held one. */
  readonly runMs: number;
}

/** How busy an engine is now. */
export interface EngineLoad {
  /** Tokens of the rows in line, without padding. */
  readonly queuedTokens: number;
  readonly workers: number;
  readonly busyWorkers: number;
}

/** All that a node sees of inference. */
export interface Engine {
  readonly info: SessionInfo;
  /**
   * Refuses a request before it is tokenized where it has no chance to get in line.
   *
   * @throws `ServeError` `overloaded`: the queue is full.
   */
  readonly requireRoom: () => void;
  readonly infer: (rows: FittedRows, options: InferOptions) => Promise<InferResult>;
  /** Null once it's closed. */
  readonly load: () => EngineLoad | null;
  readonly close: () => Promise<void>;
}
