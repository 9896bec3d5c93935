import { base64Text, littleEndianBytes } from '../bytes.ts';
import { requireFinite } from '../finite.ts';
import { Float32Bytes, Float32Rows, type WireValue } from '../wire.ts';
import { SLICE_BYTES, type Container, type Notation, type Sink } from './notation.ts';

/** Characters of a long text that are written at a time; at most 3 bytes each. */
const PIECE_CHARACTERS = 4_096;

/** Float32 numbers whose bytes are written at a time: a multiple of 3, so that Base64 is padded at its end alone. */
const PIECE_NUMBERS = 3_072;

/** Room behind SLICE_BYTES for what one step writes: such a piece, and what stands around it. */
const SLACK_BYTES = Math.max(3 * PIECE_CHARACTERS, (16 / 3) * PIECE_NUMBERS) + 64;

/*
 * All writers share this buffer. It's empty whenever a writer pauses: what it holds is copied into the
 * slice before.
 */
const scratch = Buffer.allocUnsafeSlow(SLICE_BYTES + SLACK_BYTES);
const view = new DataView(scratch.buffer);

type Fields = Readonly<Record<string, WireValue>>;

/** A value that is partly written. `next`: the place of what comes next in it. */
type Frame =
  | { readonly kind: 'list'; readonly items: readonly WireValue[] | Float32Rows; next: number }
  | {
      readonly kind: 'object';
      readonly fields: Fields;
      readonly keys: readonly string[];
      next: number;
    }
  | { readonly kind: 'floats'; readonly data: Float32Array; next: number }
  | { readonly kind: 'base64' | 'bytes'; readonly data: Float32Array; next: number }
  | { readonly kind: 'text'; readonly text: string; next: number };

/**
 * Writes one value, slice by slice, without ever holding all that is written.
 *
 * @param value - Not changed until the last slice is taken.
 * @param notation - How its parts are written.
 * @yields While the numbers are checked, slices without bytes; then slices of 32 to 64 KiB, each a copy
 * of its own, of which the last may be smaller.
 * @throws `ServeError` `inference_failed`, before the first byte, for NaN and infinities in float32 numbers.
 */
export function* serialize(
  value: WireValue,
  notation: Notation,
): Generator<Uint8Array, void, undefined> {
  yield* requireFinite(value);
  yield* new SliceWriter(notation).slices(value);
}

class SliceWriter {
  readonly #notation: Notation;
  readonly #sink: Sink = { bytes: scratch, view, at: 0 };
  readonly #frames: Frame[] = [];

  constructor(notation: Notation) {
    this.#notation = notation;
  }

  *slices(value: WireValue): Generator<Uint8Array, void, undefined> {
    this.#begin(value);
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (this.#sink.at >= SLICE_BYTES) yield this.#take();
      this.#step(frame);
    }
    yield this.#take();
  }

  #take(): Uint8Array {
    const slice = Buffer.from(scratch.subarray(0, this.#sink.at));
    this.#sink.at = 0;
    return slice;
  }

  #step(frame: Frame): void {
    switch (frame.kind) {
      case 'list':
        this.#stepList(frame);
        break;
      case 'object':
        this.#stepObject(frame);
        break;
      case 'floats':
        frame.next = this.#notation.floats(frame.data, frame.next, this.#sink);
        if (frame.next === frame.data.length) this.#end('list');
        break;
      case 'base64':
      case 'bytes':
        this.#stepBytes(frame);
        break;
      case 'text':
        this.#stepText(frame);
        break;
    }
  }

  #stepList(frame: Frame & { kind: 'list' }): void {
    const { items } = frame;
    if (frame.next === items.length) {
      this.#end('list');
      return;
    }
    if (frame.next > 0) this.#mark(this.#notation.betweenItems);
    this.#begin(items.at(frame.next++) ?? null);
  }

  // Two steps for each field: its key, its value.
  #stepObject(frame: Frame & { kind: 'object' }): void {
    const key = frame.keys[frame.next >> 1];
    if (key === undefined) {
      this.#end('object');
    } else if ((frame.next++ & 1) === 0) {
      if (frame.next > 1) this.#mark(this.#notation.betweenItems);
      this.#text(key);
    } else {
      this.#mark(this.#notation.afterKey);
      this.#begin(frame.fields[key] ?? null);
    }
  }

  #stepBytes(frame: Frame & { kind: 'base64' | 'bytes' }): void {
    const { kind, data } = frame;
    const numbers = data.subarray(frame.next, frame.next + PIECE_NUMBERS);
    const bytes = littleEndianBytes(numbers);
    if (kind === 'base64') {
      this.#ascii(base64Text(bytes));
    } else {
      scratch.set(bytes, this.#sink.at);
      this.#sink.at += bytes.length;
    }
    frame.next += numbers.length;
    if (frame.next === data.length) this.#end(kind === 'base64' ? 'text' : 'bytes');
  }

  #stepText(frame: Frame & { kind: 'text' }): void {
    const { text } = frame;
    let end = frame.next + PIECE_CHARACTERS;
    // A surrogate pair stays in one piece.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    this.#utf8(text.slice(frame.next, end));
    frame.next = end;
    if (end >= text.length) this.#frames.pop();
  }

  #end(container: Container): void {
    this.#notation.end(container, this.#sink);
    this.#frames.pop();
  }

  // Writes a scalar; of anything larger, how it begins, and leaves the rest to the steps.
  #begin(value: WireValue): void {
    if (typeof value === 'string') {
      this.#text(value);
    } else if (typeof value === 'object' && value !== null) {
      this.#open(value);
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new TypeError(`Cannot write ${value} as a number of an answer`);
    } else {
      this.#notation.scalar(value, this.#sink);
    }
  }

  #open(value: WireValue & object): void {
    if (value instanceof Float32Array) {
      this.#notation.begin('list', value.length, this.#sink);
      this.#frames.push({ kind: 'floats', data: value, next: 0 });
    } else if (value instanceof Float32Bytes) {
      this.#openBytes(value);
    } else if (value instanceof Float32Rows || isList(value)) {
      this.#notation.begin('list', value.length, this.#sink);
      this.#frames.push({ kind: 'list', items: value, next: 0 });
    } else {
      const keys = Object.keys(value);
      this.#notation.begin('object', keys.length, this.#sink);
      this.#frames.push({ kind: 'object', fields: value, keys, next: 0 });
    }
  }

  #openBytes({ data, isText }: Float32Bytes): void {
    const isBase64 = isText || this.#notation.dataEncoding === 'base64';
    if (isBase64) {
      this.#notation.begin('text', Math.ceil(data.byteLength / 3) * 4, this.#sink);
    } else {
      this.#notation.begin('bytes', data.byteLength, this.#sink);
    }
    this.#frames.push({ kind: isBase64 ? 'base64' : 'bytes', data, next: 0 });
  }

  #text(text: string): void {
    const rest = this.#notation.text(text, this.#sink);
    if (rest.length > PIECE_CHARACTERS) this.#frames.push({ kind: 'text', text: rest, next: 0 });
    else if (rest !== '') this.#utf8(rest);
  }

  #mark(byte: number | null): void {
    if (byte !== null) scratch[this.#sink.at++] = byte;
  }

  #utf8(text: string): void {
    this.#sink.at += scratch.write(text, this.#sink.at);
  }

  #ascii(text: string): void {
    this.#sink.at += scratch.write(text, this.#sink.at, 'latin1');
  }
}

function isList(value: WireValue & object): value is readonly WireValue[] {
  return Array.isArray(value);
}
