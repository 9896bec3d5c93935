import type { Wire } from '../wire.ts';

/** Bytes that are being written. */
export interface Sink {
  readonly bytes: Buffer;
  /** The same bytes. */
  readonly view: DataView;
  /** Where the next byte goes. */
  at: number;
}

/** A slice ends when it holds this many bytes. What a step writes still fits behind them. */
export const SLICE_BYTES = 32_768;

/** What begins with its length, or with a mark. */
export type Container = 'list' | 'object' | 'text' | 'bytes';

/** How one wire writes the parts of a value. */
export interface Notation extends Pick<Wire, 'dataEncoding'> {
  /** Null, a boolean, or a finite number. */
  readonly scalar: (value: null | boolean | number, sink: Sink) => void;
  /**
   * Begins a text.
   *
   * @returns What of it is still to be written, as UTF-8; '' if it's done.
   */
  readonly text: (text: string, sink: Sink) => string;
  /** Begins a list or an object of so many items, or bytes of so many; a `text` is Base64. */
  readonly begin: (container: Container, length: number, sink: Sink) => void;
  /** Ends what was begun. */
  readonly end: (container: Container, sink: Sink) => void;
  /** The byte between two items of a list and between two fields; null: there is none. */
  readonly betweenItems: number | null;
  readonly afterKey: number | null;
  /**
   * Writes numbers as items of a list, until the slice is full.
   *
   * @returns The place of the first number that isn't written.
   */
  readonly floats: (data: Float32Array, from: number, sink: Sink) => number;
}
