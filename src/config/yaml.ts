import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLError,
  type YAMLMap,
} from 'yaml';

/** Keys and indexes that lead to a value. */
export type ValuePath = readonly (string | number)[];

/** What keeps a text from being read as YAML. */
export interface YamlFault {
  /** From 1. */
  readonly line: number;
  /** Empty where the text as such is at fault. */
  readonly path: ValuePath;
  readonly reason: string;
}

/** A YAML text as values. */
export interface YamlText {
  /** Plain objects, arrays, strings, numbers, booleans and nulls; undefined if there is a fault. */
  readonly values: unknown;
  /** The first fault, or null. */
  readonly fault: YamlFault | null;
  /** The line of a key or list item, from 1; of the nearest that is written, for one that isn't. */
  readonly lineOf: (path: ValuePath) => number;
}

/** The YAML that is read and written. */
const SYNTAX = { version: '1.2', schema: 'core', prettyErrors: false } as const;

/** Values of a file once its aliases are followed. */
const MAX_VALUES = 10_000;

/** Levels of lists and objects. */
const MAX_DEPTH = 64;

// The parser isn't made for it: it recurses, and its regular expressions run out of memory.
const TOO_DEEP = /(?:[[{]\s*){65}|(?:[-?][ \t]+){65}/;

// In YAML 1.1 `010` is 8, and in YAML 1.2 it is 10.
const LEADING_ZERO = /^[-+]?0\d/;

// In YAML 1.1, which many know, these are true and false; in YAML 1.2 they are strings.
const OLD_BOOLEAN = /^(?:yes|no|on|off)$/i;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'a tab indents this line, and YAML allows only spaces there'],
  ['MULTIPLE_DOCS', 'a second document begins here, and only one is allowed'],
]);

// Some tabs are reported as another fault, of this line or of one beside it.
function isTabbed(text: string, line: number): boolean {
  const near = text.split('\n').slice(Math.max(0, line - 2), line + 1);
  return near.some((written) => /^ *\t\s*\S/.test(written));
}

function reasonOf(text: string, line: number, { code, message, pos }: YAMLError): string {
  if (code === 'DUPLICATE_KEY') {
    const [key = ''] = text.slice(pos[0]).split(/\s*:(?:\s|$)/, 1);
    return `the key ${key} is already there, above`;
  }
  const reason = REASONS.get(code);
  if (reason !== undefined) return reason;
  if (isTabbed(text, line)) return REASONS.get('TAB_AS_INDENT') ?? message;
  return `not valid YAML: ${message}`;
}

/** Makes plain values of a document, and notes where they stand. */
class Reader {
  readonly lines = new Map<string, number>();
  fault: YamlFault | null = null;
  readonly #document: Document;
  readonly #counter: LineCounter;
  #values = 0;

  constructor(document: Document, counter: LineCounter) {
    this.#document = document;
    this.#counter = counter;
  }

  lineOf(path: ValuePath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }

  read(node: unknown, path: ValuePath): unknown {
    this.#values += 1;
    if (this.#values > MAX_VALUES) return this.#refuse(path, `more than ${MAX_VALUES} values`);
    if (path.length > MAX_DEPTH) return this.#refuse(path, `more than ${MAX_DEPTH} levels deep`);
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target === undefined) return this.#refuse(path, `no anchor &${node.source} above`);
      return this.read(target, path);
    }
    if (isMap(node)) return this.#object(node, path);
    if (isSeq(node)) return node.items.map((item, index) => this.#at(item, item, [...path, index]));
    return isScalar(node) ? this.#scalar(node, path) : null;
  }

  #refuse(path: ValuePath, reason: string): null {
    this.fault ??= { line: this.lineOf(path), path, reason };
    return null;
  }

  // `place` is the key or list item that the line is taken from.
  #at(place: unknown, node: unknown, path: ValuePath): unknown {
    const offset = (place as Partial<Scalar> | null)?.range?.[0];
    if (offset !== undefined) {
      this.lines.set(JSON.stringify(path), this.#counter.linePos(offset).line);
    }
    return this.fault === null ? this.read(node, path) : undefined;
  }

  #object({ items }: YAMLMap, path: ValuePath): object {
    const entries = items.map(({ key, value }): [string, unknown] => {
      if (!isScalar(key)) this.#refuse(path, 'a key must be a string');
      const name = isScalar(key) ? (key.source ?? String(key.value)) : '';
      return [name, this.#at(key, value, [...path, name])];
    });
    return Object.fromEntries(entries);
  }

  #scalar({ type, source = '', value }: Scalar, path: ValuePath): unknown {
    if (type === 'PLAIN' && OLD_BOOLEAN.test(source)) {
      const meant = /^(?:yes|on)$/i.test(source);
      this.#refuse(path, `must be ${meant} or "${source}" in quotes, not a bare ${source}`);
    }
    if (type === 'PLAIN' && typeof value === 'number' && LEADING_ZERO.test(source)) {
      this.#refuse(path, `must be ${value} or "${source}" in quotes, not a bare ${source}`);
    }
    return value;
  }
}

function failed(fault: YamlFault): YamlText {
  return { values: undefined, fault, lineOf: () => fault.line };
}

/**
 * Reads YAML 1.2 with its core schema: `123` and `0x10` are numbers, `true` is a boolean.
 *
 * Refused beyond what the format refuses: several documents, an empty text, tags that aren't known, a
 * bare `yes`, `no`, `on` or `off`, numbers with leading zeros, and aliases that multiply.
 *
 * @param text - One document.
 * @returns Its values, or the first fault.
 */
export function parseYaml(text: string): YamlText {
  const deep = TOO_DEEP.exec(text);
  if (deep !== null) {
    const line = text.slice(0, deep.index).split('\n').length;
    return failed({ line, path: [], reason: `more than ${MAX_DEPTH} levels deep` });
  }
  const counter = new LineCounter();
  const document = parseDocument(text, { ...SYNTAX, lineCounter: counter });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const { line } = counter.linePos(error.pos[0]);
    return failed({ line, path: [], reason: reasonOf(text, line, error) });
  }
  if (document.contents === null) return failed({ line: 1, path: [], reason: 'the file is empty' });
  const reader = new Reader(document, counter);
  const values = reader.read(document.contents, []);
  if (reader.fault !== null) return failed(reader.fault);
  return { values, fault: null, lineOf: (path) => reader.lineOf(path) };
}

/** Where an item of a list is written, in whole lines. */
interface ItemLines {
  readonly start: number;
  /** Behind the line break, if there is one. */
  readonly end: number;
  /** What is before the item in its first line: spaces, the dash, spaces. */
  readonly dash: string;
}

// Null where an item shares its lines with others, as in `[{ a: 1 }, { b: 2 }]`.
function itemLines(text: string, item: unknown): ItemLines | null {
  const range = (item as Partial<Scalar> | null | undefined)?.range;
  if (!range) return null;
  const start = text.lastIndexOf('\n', range[0] - 1) + 1;
  const dash = text.slice(start, range[0]);
  const lineBreak = text.indexOf('\n', range[1] - 1);
  const end = lineBreak === -1 ? text.length : lineBreak + 1;
  return /^ *- +$/.test(dash) ? { start, end, dash } : null;
}

function itemText(item: ListItem, { dash }: ItemLines, lineBreak: string): string {
  // With the words that YAML 1.1 has another meaning for in quotes.
  const lines = stringify(item, { version: '1.1', lineWidth: 0 }).trimEnd().split('\n');
  const indent = ' '.repeat(dash.length);
  return lines.map((line, at) => `${at === 0 ? dash : indent}${line}${lineBreak}`).join('');
}

function itemsOf(document: Document, list: ValuePath): readonly unknown[] {
  const node = document.getIn(list);
  return isSeq(node) ? node.items : [];
}

/** An item that is an object of strings. */
export type ListItem = Readonly<Record<string, string>>;

/** A change of a list: an item that goes to its end, or the index of one that goes away. */
export type ListChange = { readonly add: ListItem } | { readonly remove: number };

/**
 * Changes a list of a YAML text. The lines of all other items stay as they are, with their comments; a list
 * that isn't written with an item on lines of its own is written anew.
 *
 * @param text - Without a fault.
 * @param list - Where the list is.
 * @param change - What becomes of it.
 * @returns The text with the change and with no other, or null if there is no way to write that.
 */
export function changeList(text: string, list: ValuePath, change: ListChange): string | null {
  const wanted = parseDocument(text, SYNTAX);
  const node = wanted.getIn(list);
  if (!isSeq(node)) return null;
  // What is added to an empty list is on lines of its own.
  node.flow = node.flow === true && node.items.length > 0;
  if ('add' in change) wanted.addIn(list, change.add);
  else wanted.deleteIn([...list, change.remove]);
  try {
    const values: unknown = wanted.toJS();
    const texts = [changedLines(text, list, change), wanted.toString({ lineWidth: 0 })];
    return texts.find((changed) => isDeepStrictEqual(valuesOf(changed), values)) ?? null;
  } catch {
    // What went away is what an alias stands for.
    return null;
  }
}

function valuesOf(text: string | null): unknown {
  return text === null ? undefined : parseYaml(text).values;
}

function changedLines(text: string, list: ValuePath, change: ListChange): string | null {
  const items = itemsOf(parseDocument(text, SYNTAX), list);
  const lines = itemLines(text, 'add' in change ? items.at(-1) : items[change.remove]);
  if (lines === null) return null;
  const before = text.slice(0, 'add' in change ? lines.end : lines.start);
  const after = text.slice(lines.end);
  if ('remove' in change) return before + after;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = before.endsWith('\n') ? '' : lineBreak;
  return before + gap + itemText(change.add, lines, lineBreak) + after;
}
