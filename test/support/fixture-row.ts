import { pack } from './pack.ts';

/** What became of an answer: its vector or value, or that it was refused. */
export type Expected = { readonly value: unknown } | 'refused';

/** An answer of a server, and what clients make of it. */
export interface AnswerFixture {
  readonly name: string;
  readonly call: 'embed' | 'rerank' | 'classify' | 'any';
  readonly type: string;
  readonly coding?: string;
  readonly body: Uint8Array;
  readonly status?: number;
  /** Texts of the request. */
  readonly texts: number;
  /** Whether the Python client 0.1.16 takes it. */
  readonly python: boolean;
  /** By ours with `vectors: 'array'`. */
  readonly array: Expected;
  /** By ours with `vectors: 'float32'`, where that differs: the vectors. */
  readonly float32?: Expected;
}

/** MIME type of JSON. */
export const JSON_TYPE = 'application/json';

/** MIME type of MessagePack. */
export const MSGPACK_TYPE = 'application/msgpack';

/** A description of answers; `packed` is the value in MessagePack if it differs. */
export type Row = Pick<AnswerFixture, 'name' | 'python' | 'array'> &
  Partial<AnswerFixture> & { readonly json?: unknown; readonly packed?: unknown };

/** A fixture for each format that a row has a value for; `packed` is MessagePack's if it differs. */
export function expand(row: Row): AnswerFixture[] {
  const base = { call: 'embed' as const, texts: 1, ...row };
  const made: AnswerFixture[] = [];
  if (row.json !== undefined) {
    const body = Buffer.from(typeof row.json === 'string' ? row.json : JSON.stringify(row.json));
    made.push({ ...base, name: `${row.name} (JSON)`, type: JSON_TYPE, body });
  }
  const packed = 'packed' in row ? row.packed : row.json;
  if (packed !== undefined && typeof packed !== 'string') {
    const body = packed instanceof Uint8Array ? packed : pack(packed);
    made.push({ ...base, name: `${row.name} (MessagePack)`, type: MSGPACK_TYPE, body });
  }
  if (row.body && row.type !== undefined) {
    made.push({ ...base, type: row.type, body: row.body });
  }
  return made;
}

/** The value of an answer with one vector. */
export function answer(embedding: unknown, changes: object = {}): Record<string, unknown> {
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding }],
    model: 'm',
    usage: { prompt_tokens: 1, total_tokens: 1 },
    ...changes,
  };
}

/** Big-endian bytes of a float64. */
export function doubleBytes(value: number): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return [...bytes];
}

/** Big-endian bytes of a float32. */
export function floatBytes(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return [...bytes];
}
