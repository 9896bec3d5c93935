import { WIRE_READERS } from './wire-readers.ts';

/** Encodings that the embedding routes share. */
export const ENCODED = ['float', 'base64', 'tensor'] as const;

/** A name of {@link ENCODED}. */
export type EncodedAs = (typeof ENCODED)[number];

/** The media types of the wires. */
export const MEDIA_TYPES = ['application/json', 'application/msgpack'] as const;

/** What the encoding `tensor` gives. */
export interface SentTensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly data_encoding: string;
  readonly data: string | Uint8Array;
}

/** The error object of an answer, with its status. */
export interface SentError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** A client of our own making, which reads answers by other means than our code. */
export class AnswerReader {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  post(path: string, body: object, accept = 'application/json'): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
  }

  /** The answer of a request that succeeds. */
  async ask(path: string, body: object, accept?: string): Promise<unknown> {
    const response = await this.post(path, body, accept);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
    const isPacked = response.headers.get('content-type') === 'application/msgpack';
    expect(isPacked).toBe(accept === 'application/msgpack');
    return WIRE_READERS[isPacked ? 'msgpackr' : 'JSON.parse']?.read(bytes);
  }

  /** The error of a request that fails. */
  async failure(path: string, body: object): Promise<SentError> {
    const response = await this.post(path, body);
    const { error } = (await response.json()) as { readonly error: SentError };
    return { ...error, status: response.status };
  }
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const copy = Uint8Array.from(bytes);
  return new Float32Array(copy.buffer);
}

/** The numbers of a vector, or of a tensor of any shape. */
export function numbersOf(value: unknown, encoding: EncodedAs): Float32Array {
  if (encoding === 'tensor') {
    const { data } = value as SentTensor;
    return floatsOf(typeof data === 'string' ? Buffer.from(data, 'base64') : data);
  }
  if (typeof value === 'string') return floatsOf(Buffer.from(value, 'base64'));
  return Float32Array.from(value as readonly number[]);
}

/** The rows of a matrix. */
export function rowsOf(value: unknown, encoding: EncodedAs): readonly Float32Array[] {
  if (encoding !== 'tensor') {
    return (value as readonly unknown[]).map((row) => numbersOf(row, encoding));
  }
  const [rows = 0, columns = 0] = (value as SentTensor).shape;
  const numbers = numbersOf(value, encoding);
  expect(numbers).toHaveLength(rows * columns);
  return Array.from({ length: rows }, (_, row) =>
    numbers.slice(row * columns, (row + 1) * columns),
  );
}
