/** Which output of the model is asked for, and what is made of it. */
export type HeadSpec =
  | {
      readonly kind: 'pooled';
      readonly output: string;
      readonly pooling: 'cls' | 'last' | 'mean' | 'none';
      readonly normalize: boolean;
    }
  | { readonly kind: 'tokens' | 'logits'; readonly output: string };

/** A batch on its way to a worker: rows end to end, unpadded. All buffers are transferred. */
export interface BatchWork {
  /** [sum of lengths] */
  readonly ids: Int32Array;
  /** [sum of lengths], or null where every token has type 0. */
  readonly typeIds: Int32Array | null;
  /** Tokens of each row: [rows]. */
  readonly lengths: Int32Array;
  readonly head: HeadSpec;
  /** For drills: the worker that gets the batch dies. */
  readonly crash: boolean;
}

/** Results of a batch on their way back, end to end. */
export interface BatchOutput {
  readonly data: Float32Array;
  /** The shape of each row's result, in the order of the rows. */
  readonly shapes: readonly (readonly number[])[];
  /** ms in the model and its head. */
  readonly runMs: number;
}
