import type { FittedRows } from '../limits/fit.ts';
import type { RequestScope } from '../scope.ts';
import type { Float32Tensor } from '../tensor.ts';
import type { BatchBudget } from './batch-policy.ts';
import type { SessionInfo } from './session.ts';
import type { HeadSpec } from './work.ts';

/** How an engine is opened. */
export interface EngineOptions {
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
}

/** What is wanted of the model, and for whom. */
export interface InferOptions {
  readonly head: HeadSpec;
  readonly scope: RequestScope;
}

/** One tensor for each row, in the order of the rows; views of the batches' buffers. */
export interface InferResult {
  readonly tensors: readonly Float32Tensor[];
  /** ms from the arrival of the rows to the start of the last batch that held one. */
  readonly queueMs: number;
  /** ms of the batches that held a row of this request. */
  readonly runMs: number;
}

/** All that a node sees of inference. */
export interface Engine {
  readonly info: SessionInfo;
  readonly infer: (rows: FittedRows, options: InferOptions) => Promise<InferResult>;
  readonly close: () => Promise<void>;
}
