/** What a wire can carry. Float32Array: an array of numbers; Uint8Array: MessagePack's bin. */
export type WireValue =
  | null
  | boolean
  | number
  | string
  | Float32Array
  | Uint8Array
  | readonly WireValue[]
  | { readonly [key: string]: WireValue };

/** A way to write an answer. */
export interface Wire {
  /** The first is the one that answers are labelled with. */
  readonly mediaTypes: readonly [string, ...string[]];
  readonly dataEncoding: 'base64' | 'binary';
  /** How this wire carries raw bytes; JSON: base64 text. */
  readonly bytes: (data: Uint8Array) => WireValue;
  /** In slices, so that other requests get their turn. */
  readonly serialize: (value: WireValue) => Iterable<Uint8Array>;
}
