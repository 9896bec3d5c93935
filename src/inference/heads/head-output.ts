/** Results end to end, with the shape of each. */
export interface HeadOutput {
  readonly data: Float32Array;
  readonly shapes: readonly (readonly number[])[];
}
