/** Dense, row-major numbers; usually a view of a larger buffer, which nobody changes. */
export interface Float32Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}
