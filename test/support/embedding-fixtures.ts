import { answer, doubleBytes, floatBytes, type Row } from './fixture-row.ts';
import { floatRow, pack, Raw } from './pack.ts';

const F01 = Math.fround(0.1);
const F02 = Math.fround(0.2);
const HALF = answer([0.5]);
const WIDE = Array.from({ length: 384 }, (_, i) => Math.fround(Math.cos(i)));
const TENSOR = { shape: [2], dtype: 'float32' };

/** Answers to embeddings requests. */
export const EMBEDDING_ROWS: readonly Row[] = [
  {
    name: 'emb-f32',
    packed: answer(floatRow([0.1, 0.2])),
    python: true,
    array: { value: [F01, F02] },
  },
  { name: 'emb-f64', json: answer([0.1, 0.2]), python: true, array: { value: [F01, F02] } },
  { name: 'emb-ints', json: answer([1, 2]), python: true, array: { value: [1, 2] } },
  { name: 'emb-mixed', json: answer([1, 2.5]), python: true, array: { value: [1, 2.5] } },
  {
    name: 'emb-huge',
    json: JSON.stringify(answer([1e300])),
    packed: answer([new Raw(0xcb, ...doubleBytes(1e300))]),
    python: true,
    array: { value: [Infinity] },
  },
  {
    name: 'emb-zero',
    packed: answer([0, new Raw(0xca, ...floatBytes(0.5))]),
    python: true,
    array: { value: [0, 0.5] },
  },
  {
    name: 'emb-384, array16',
    packed: answer(floatRow(WIDE)),
    python: true,
    array: { value: WIDE },
  },
  {
    name: 'emb-384, array32',
    packed: answer(floatRow(WIDE, 'array32')),
    python: true,
    array: { value: WIDE },
  },
  {
    name: 'emb-base64',
    json: answer(float32Bytes([0.1]).toString('base64')),
    python: true,
    array: { value: float32Bytes([0.1]).toString('base64') },
    float32: { value: [F01] },
  },
  {
    name: 'emb-bin-utf8',
    packed: answer(Buffer.from('AAAA')),
    python: true,
    array: { value: 'AAAA' },
    float32: { value: [Buffer.from('AAAA').readFloatLE()] },
  },
  {
    name: 'emb-bin-f32',
    packed: answer(float32Bytes([0.1, 0.2, -0.3])),
    python: false,
    array: 'refused',
    float32: { value: [F01, F02, Math.fround(-0.3)] },
  },
  {
    name: 'emb-tensor',
    json: answer({
      ...TENSOR,
      data_encoding: 'base64',
      data: float32Bytes([0.1, 0.2]).toString('base64'),
    }),
    packed: answer({ ...TENSOR, data_encoding: 'binary', data: float32Bytes([0.1, 0.2]) }),
    python: false,
    array: 'refused',
    float32: { value: [F01, F02] },
  },
  { name: 'emb-ext', packed: answer(new Raw(0xd4, 5, 1)), python: false, array: 'refused' },
  { name: 'emb-null', json: answer([null, 0.1]), python: false, array: 'refused' },
  { name: 'emb-nested', json: answer([[0.1], [0.2]]), python: false, array: 'refused' },
  {
    name: 'emb-nan',
    json: JSON.stringify(HALF).replace('0.5', 'NaN'),
    python: false,
    array: 'refused',
  },
  ...['usage', 'object', 'model'].map((key): Row => ({
    name: `emb-missing-${key}`,
    json: without(key),
    python: false,
    array: 'refused',
  })),
  ...['object', 'index'].map((key): Row => ({
    name: `emb-missing-data-${key}`,
    json: itemWithout(key),
    python: false,
    array: 'refused',
  })),
  {
    name: 'emb-usage-large',
    json: answer([0.5], { usage: { prompt_tokens: 2 ** 32, total_tokens: 1 } }),
    python: false,
    array: 'refused',
  },
  {
    name: 'emb-usage-extra',
    json: answer([0.5], { usage: { prompt_tokens: 1, total_tokens: 1, extra: null } }),
    python: true,
    array: { value: [0.5] },
  },
  {
    name: 'emb-usage-float',
    json: JSON.stringify(HALF).replace('"prompt_tokens":1', '"prompt_tokens":1.0'),
    packed: answer([0.5], {
      usage: { prompt_tokens: new Raw(0xcb, ...doubleBytes(1)), total_tokens: 1 },
    }),
    python: false,
    array: { value: [0.5] },
  },
  {
    name: 'emb-index-float',
    json: JSON.stringify(HALF).replace('"index":0', '"index":0.0'),
    python: false,
    array: { value: [0.5] },
  },
  {
    name: 'emb-extra',
    json: answer([0.5], { more: { a: [1] }, id: 'x' }),
    python: true,
    array: { value: [0.5] },
  },
  {
    name: 'emb-times',
    json: answer([0.5], {
      total_time: 9,
      individual_request_times: [9],
      response_headers: [{ a: 'b' }],
    }),
    python: true,
    array: { value: [0.5] },
  },
  {
    name: 'emb-order',
    json: answer([], { data: items(1, 0) }),
    texts: 2,
    python: true,
    array: { value: [1.5] },
  },
  {
    name: 'emb-short',
    json: answer([], { data: items(0) }),
    texts: 2,
    python: true,
    array: 'refused',
  },
  {
    name: 'emb-dup',
    json: answer([], { data: items(0, 0) }),
    texts: 2,
    python: true,
    array: 'refused',
  },
  {
    name: 'emb-positional',
    json: ['list', [['embedding', [0.5], 0]], 'm', [1, 1]],
    python: true,
    array: 'refused',
  },
  { name: 'emb-binkeys', packed: binaryKeys(), python: true, array: { value: [0.5] } },
  {
    name: 'emb-trailing',
    json: `${JSON.stringify(HALF)}\n\n`,
    packed: Buffer.concat([pack(HALF), Buffer.of(1, 2)]),
    python: true,
    array: { value: [0.5] },
  },
  { name: 'emb-bom', json: `\ufeff${JSON.stringify(HALF)}`, python: false, array: 'refused' },
];

function float32Bytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, i) => bytes.writeFloatLE(number, i * 4));
  return bytes;
}

function without(key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer([0.5])).filter(([name]) => name !== key));
}

function itemWithout(key: string): Record<string, unknown> {
  const item = { object: 'embedding', index: 0, embedding: [0.5] };
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => name !== key));
  return answer([], { data: [kept] });
}

function items(...indices: number[]): object[] {
  return indices.map((index, at) => ({ object: 'embedding', index, embedding: [at + 0.5] }));
}

function binaryKeys(): Buffer {
  const text = pack(
    answer([0.5], { data: [{ object: 'item', index: 0, embedding: [0.5] }] }),
  ).toString('latin1');
  // Keys of up to 31 bytes begin with 0xa0 and their length; `bin` of the same begins otherwise.
  const keys = [
    'object',
    'data',
    'model',
    'usage',
    'index',
    'embedding',
    'prompt_tokens',
    'total_tokens',
  ];
  const changed = keys.reduce((all, key) => {
    const head = String.fromCharCode(0xa0 | key.length);
    return all.replaceAll(`${head}${key}`, `\xc4${String.fromCharCode(key.length)}${key}`);
  }, text);
  return Buffer.from(changed, 'latin1');
}
