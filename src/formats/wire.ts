import type { Float32Tensor } from '../tensor.ts';

/** Float32 numbers that are sent as their bytes, low byte first. */
export class Float32Bytes {
  readonly data: Float32Array;
  /** Whether they are Base64 text on every wire, also where it could carry raw bytes. */
  readonly isText: boolean;

  /**
   * @param data - A view; not changed until it's written.
   * @param isText - As above.
   */
  constructor(data: Float32Array, isText: boolean) {
    this.data = data;
    this.isText = isText;
  }
}

/** The rows of a matrix as a list, each made when it's written: a matrix may have very many. */
export class Float32Rows {
  /** Number of rows. */
  readonly length: number;
  /** All rows, end to end. */
  readonly data: Float32Array;
  readonly #rowValue: (row: Float32Array) => WireValue;

  /**
   * @param tensor - `[rows, columns]`.
   * @param rowValue - What is sent for a row, which is a view.
   */
  constructor({ shape, data }: Float32Tensor, rowValue: (row: Float32Array) => WireValue) {
    [this.length = 0] = shape;
    this.data = data;
    this.#rowValue = rowValue;
  }

  /**
   * Makes the value of one row.
   *
   * @param row - From 0 to `length` - 1.
   * @returns The value that is sent for it.
   */
  at(row: number): WireValue {
    const columns = this.data.length / this.length;
    return this.#rowValue(this.data.subarray(row * columns, (row + 1) * columns));
  }
}

/** What a wire can carry. Float32Array: a list of numbers. */
export type WireValue =
  | null
  | boolean
  | number
  | string
  | Float32Array
  | Float32Bytes
  | Float32Rows
  | readonly WireValue[]
  | { readonly [key: string]: WireValue };

/** A way to write an answer. */
export interface Wire {
  /** The first is the one that answers are labelled with. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** How {@link Float32Bytes} are carried: as Base64 text, or as they are. */
  readonly dataEncoding: 'base64' | 'binary';
  /**
   * Writes a value in slices of at most 64 KiB, so that other requests get their turn. Slices without
   * bytes, which only come first, are such turns as well: the numbers of a large value are still checked.
   *
   * @throws `ServeError` `inference_failed`, before the first byte, for NaN and infinities.
   */
  readonly serialize: (value: WireValue) => Iterable<Uint8Array>;
}
