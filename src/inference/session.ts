import type { Float32Tensor } from '../tensor.ts';

/** Token ids of a batch; every array is `[rows, columns]`, row-major, padded on the right. */
export interface TokenBatch {
  readonly rows: number;
  /** Tokens of the longest row. */
  readonly columns: number;
  readonly inputIds: Int32Array;
  /** 1 at real tokens, 0 at padding. */
  readonly attentionMask: Int32Array;
  /** null where every token has type 0. */
  readonly typeIds: Int32Array | null;
}

/** An output of a model. */
export interface OutputInfo {
  readonly name: string;
  /** `hidden`: [rows, columns, dimensions]; `pooled`: [rows, dimensions], also of logits. */
  readonly kind: 'hidden' | 'pooled';
  /** Size of the last axis; null where the file leaves it open. */
  readonly dimensions: number | null;
}

/** What a model file says of itself. */
export interface SessionInfo {
  readonly inputs: readonly string[];
  readonly outputs: readonly OutputInfo[];
}

/** How a session is opened. */
export interface SessionOptions {
  readonly intraOpNumThreads: number;
  /** Id that fills rows up to the longest. */
  readonly padTokenId: number;
  /** Position of the first token, for models that take position_ids. */
  readonly positionOffset: number;
  /** Session configuration entries of ONNX Runtime, by name. */
  readonly configEntries: Readonly<Record<string, string>>;
}

/** A model file at work: the only seam to a runtime; sessions live in worker threads. */
export interface Session {
  readonly info: SessionInfo;
  /** Output `output` of a batch: [rows, columns, dimensions], or [rows, n]. Blocks its thread. */
  readonly run: (batch: TokenBatch, output: string) => Promise<Float32Tensor>;
  readonly close: () => Promise<void>;
}
