import { base64Text } from '../bytes.ts';
import { writeFloat32 } from '../float32-text.ts';
import type { WireValue } from '../wire.ts';

/** A slice is given away when it holds this many bytes; the last one holds fewer. */
const SLICE_BYTES = 32_768;

/** Characters of a long text that are written at a time; at most 3 bytes each. */
const PIECE_CHARACTERS = 8_192;

/** Texts up to this length are tried character by character, which is faster than to escape them. */
const SHORT_CHARACTERS = 40;

/** Room behind SLICE_BYTES for what one step writes: a key and a piece of text, and what stands around them. */
const SLACK_BYTES = 2 * 3 * PIECE_CHARACTERS + 64;

/**
 * All writers share this buffer. It's empty whenever a writer pauses: what it holds is copied into the
 * slice before.
 */
const scratch = Buffer.allocUnsafe(SLICE_BYTES + SLACK_BYTES);

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const DELETE = 0x7f;

type Fields = Readonly<Record<string, WireValue>>;

/** A value that is partly written. Text: JSON of a long text, written as it is. */
type Frame =
  | { readonly kind: 'list'; readonly items: readonly WireValue[]; next: number }
  | { readonly kind: 'floats'; readonly items: Float32Array; next: number }
  | { readonly kind: 'text'; readonly text: string; next: number }
  | {
      readonly kind: 'object';
      readonly fields: Fields;
      readonly keys: readonly string[];
      next: number;
    };

/** Writes one value as JSON, slice by slice, without ever holding its whole text. */
export class JsonWriter {
  readonly #frames: Frame[] = [];
  #at = 0;

  /**
   * Writes a value.
   *
   * @param value - Not changed until the last slice is taken.
   * @yields Slices of about {@link SLICE_BYTES}, each a copy of its own; one for a small value.
   */
  *slices(value: WireValue): Generator<Uint8Array, void, undefined> {
    this.#begin(value);
    let frame = this.#frames.at(-1);
    while (frame) {
      this.#step(frame);
      if (this.#at >= SLICE_BYTES) yield this.#take();
      frame = this.#frames.at(-1);
    }
    if (this.#at > 0) yield this.#take();
  }

  #take(): Uint8Array {
    const slice = Buffer.from(scratch.subarray(0, this.#at));
    this.#at = 0;
    return slice;
  }

  #step(frame: Frame): void {
    switch (frame.kind) {
      case 'list':
        this.#stepList(frame);
        break;
      case 'floats':
        this.#stepFloats(frame);
        break;
      case 'object':
        this.#stepObject(frame);
        break;
      case 'text':
        this.#stepText(frame);
        break;
    }
  }

  #stepList(frame: Frame & { kind: 'list' }): void {
    const { items } = frame;
    if (frame.next === items.length) {
      this.#end(CLOSE_LIST);
      return;
    }
    if (frame.next > 0) this.#byte(COMMA);
    const item = items[frame.next++];
    if (item !== undefined) this.#begin(item);
  }

  #stepFloats(frame: Frame & { kind: 'floats' }): void {
    const { items } = frame;
    let at = this.#at;
    let next = frame.next;
    while (next < items.length && at < SLICE_BYTES) {
      if (next > 0) scratch[at++] = COMMA;
      at = writeFloat32(items[next++] ?? 0, scratch, at);
    }
    this.#at = at;
    frame.next = next;
    if (next === items.length) this.#end(CLOSE_LIST);
  }

  #stepObject(frame: Frame & { kind: 'object' }): void {
    const { fields, keys } = frame;
    const key = keys[frame.next];
    if (key === undefined) {
      this.#end(CLOSE_OBJECT);
      return;
    }
    if (frame.next++ > 0) this.#byte(COMMA);
    this.#text(key);
    this.#byte(COLON);
    this.#begin(fields[key] ?? null);
  }

  #stepText(frame: Frame & { kind: 'text' }): void {
    const { text } = frame;
    let end = frame.next + PIECE_CHARACTERS;
    // A surrogate pair stays in one piece.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    this.#at += scratch.write(text.slice(frame.next, end), this.#at);
    frame.next = end;
    if (end >= text.length) this.#frames.pop();
  }

  #end(bracket: number): void {
    this.#byte(bracket);
    this.#frames.pop();
  }

  #byte(byte: number): void {
    scratch[this.#at++] = byte;
  }

  // Writes a scalar; of anything larger, its bracket, and leaves the rest to the steps.
  #begin(value: WireValue): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#ascii(numberText(value));
    else if (typeof value === 'boolean' || value === null) this.#ascii(String(value));
    else this.#open(value);
  }

  #open(value: WireValue & object): void {
    if (value instanceof Uint8Array) {
      this.#text(base64Text(value));
    } else if (value instanceof Float32Array) {
      this.#byte(OPEN_LIST);
      this.#frames.push({ kind: 'floats', items: value, next: 0 });
    } else if (isList(value)) {
      this.#byte(OPEN_LIST);
      this.#frames.push({ kind: 'list', items: value, next: 0 });
    } else {
      this.#byte(OPEN_OBJECT);
      this.#frames.push({ kind: 'object', fields: value, keys: Object.keys(value), next: 0 });
    }
  }

  #text(text: string): void {
    if (text.length <= SHORT_CHARACTERS && this.#plain(text)) return;
    const json = JSON.stringify(text);
    if (json.length > PIECE_CHARACTERS) this.#frames.push({ kind: 'text', text: json, next: 0 });
    else this.#at += scratch.write(json, this.#at);
  }

  // Writes a text of ASCII that needs no escape, or nothing and returns false.
  #plain(text: string): boolean {
    let at = this.#at;
    scratch[at++] = QUOTE;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < SPACE || code >= DELETE || code === QUOTE || code === BACKSLASH) return false;
      scratch[at++] = code;
    }
    scratch[at++] = QUOTE;
    this.#at = at;
    return true;
  }

  #ascii(text: string): void {
    this.#at += scratch.write(text, this.#at);
  }
}

function isList(value: WireValue & object): value is readonly WireValue[] {
  return Array.isArray(value);
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`Cannot write ${value} as a JSON number`);
  return String(value);
}
