import { textOf } from '../errors.ts';
import { decodeBase64 } from './base64.ts';
import { decodeBase64Float32, floatsOf } from './float-bytes.ts';
import type { FloatMode } from './msgpack-reader.ts';
import {
  checkIndices,
  countAt,
  fieldsAt,
  listAt,
  misshapen,
  textAt,
  type Fields,
} from './shapes.ts';
import { decodeUtf8 } from './utf8.ts';

/** What an embedding may be for the caller. */
export type Vector = number[] | string | Float32Array;

/** One embedding of an answer. */
export interface EmbeddingItem {
  object: string;
  index: number;
  embedding: Vector;
}

/** What an answer to an embeddings request holds. */
export interface EmbeddingsPart {
  /** In the order of the inputs. */
  readonly data: EmbeddingItem[];
  readonly model: string;
  readonly promptTokens: number;
  readonly totalTokens: number;
}

/**
 * Reads the value of an answer for `count` texts. Every member must be there; unknown ones are
 * ignored. In mode `float32` all numeric forms become `Float32Array`, on one buffer.
 *
 * @param value - What the answer, header or option holds.
 * @param count - Inputs that were sent.
 * @param floats - What a vector becomes.
 * @returns Items in the order of the inputs.
 * @throws {@link PerformanceClientError} of kind `serialization` for anything else.
 */
export function readEmbeddings(value: unknown, count: number, floats: FloatMode): EmbeddingsPart {
  const answer = fieldsAt(value, 'the answer');
  textAt(answer['object'], 'object');
  const items = listAt(answer['data'], 'data').map((item, at) => itemOf(item, at, floats));
  const model = textAt(answer['model'], 'model');
  const usage = fieldsAt(answer['usage'], 'usage');
  const promptTokens = countAt(usage['prompt_tokens'], 'usage.prompt_tokens');
  const totalTokens = countAt(usage['total_tokens'], 'usage.total_tokens');
  checkIndices(items, count);
  const data = inOrder(items);
  if (floats === 'float32') packRows(data);
  return { data, model, promptTokens, totalTokens };
}

function itemOf(value: unknown, at: number, floats: FloatMode): EmbeddingItem {
  const where = `data[${at}]`;
  const item = fieldsAt(value, where);
  const { object, index, embedding } = item;
  return {
    object: textAt(object, `${where}.object`),
    index: countAt(index, `${where}.index`),
    embedding: vectorOf(embedding, `${where}.embedding`, floats),
  };
}

function vectorOf(value: unknown, where: string, floats: FloatMode): Vector {
  try {
    return floats === 'array' ? plainVector(value, where) : floatVector(value, where);
  } catch (error) {
    const text = textOf(error);
    throw text.startsWith('Failed to parse') ? error : misshapen(`${where}: ${text}`);
  }
}

function plainVector(value: unknown, where: string): number[] | string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return decodeUtf8(value);
  return numbersOf(value, where);
}

function floatVector(value: unknown, where: string): Float32Array {
  if (value instanceof Float32Array) return value;
  if (typeof value === 'string') return decodeBase64Float32(value);
  if (value instanceof Uint8Array) return floatsOf(value);
  if (Array.isArray(value)) return Float32Array.from(numbersOf(value, where));
  return tensorOf(fieldsAt(value, where), where);
}

// Checks and rounds in place: the array is the parser's, and nobody else has it.
function numbersOf(value: unknown, where: string): number[] {
  if (!Array.isArray(value)) throw misshapen(`${where} must be a vector`);
  const numbers = value as unknown[];
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (typeof number === 'number') numbers[i] = Math.fround(number);
    else if (typeof number === 'bigint') numbers[i] = Math.fround(Number(number));
    else throw misshapen(`${where}[${i}] must be a number`);
  }
  return numbers as number[];
}

function tensorOf(tensor: Fields, where: string): Float32Array {
  if (tensor['dtype'] !== 'float32') throw misshapen(`${where}.dtype must be 'float32'`);
  const shape = listAt(tensor['shape'], `${where}.shape`);
  const size = shape.reduce<number>((all, side) => all * countAt(side, `${where}.shape`), 1);
  const floats = floatsOf(tensorBytes(tensor, where));
  if (floats.length !== size) {
    throw misshapen(`${where} has ${floats.length} numbers for a shape of ${size}`);
  }
  return floats;
}

function tensorBytes({ data, data_encoding: encoding }: Fields, where: string): Uint8Array {
  if (encoding === 'base64' && typeof data === 'string') return decodeBase64(data);
  if (encoding === 'binary' && data instanceof Uint8Array) return data;
  throw misshapen(`${where}.data_encoding must be 'base64' for text or 'binary' for bytes`);
}

function inOrder(items: EmbeddingItem[]): EmbeddingItem[] {
  const ordered = items.every(({ index }, at) => index === at);
  return ordered ? items : items.sort((one, other) => one.index - other.index);
}

// Puts rows on one buffer, unless they are on one already.
function packRows(data: readonly EmbeddingItem[]): void {
  const rows = data.map(({ embedding }) => embedding as Float32Array);
  if (rows.every((row) => row.buffer === rows[0]?.buffer)) return;
  const all = new Float32Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  rows.forEach((row, i) => {
    all.set(row, at);
    const item = data[i];
    if (item) item.embedding = all.subarray(at, at + row.length);
    at += row.length;
  });
}
