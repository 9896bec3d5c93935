/**
 * An answer of 1,024 embeddings of 384 numbers: the server's own wires, in each encoding, against what
 * `JSON.stringify`, `@msgpack/msgpack` and `msgpackr` make of the same numbers. What is timed begins with
 * the tensors and ends with all bytes of the answer.
 */
import { Encoder, encode } from '@msgpack/msgpack';
import { FLOAT32_OPTIONS, Packr } from 'msgpackr';
import { ENCODINGS } from '../../dist/formats/encodings/index.js';
import { json } from '../../dist/formats/wires/json.js';
import { msgpack } from '../../dist/formats/wires/msgpack.js';
import { compare } from './harness.mjs';

const ROWS = 1024;
const DIMENSIONS = 384;

const numbers = Float32Array.from({ length: ROWS * DIMENSIONS }, (_, at) => Math.sin(at) / 19.6);
const tensors = Array.from({ length: ROWS }, (_, row) => {
  return {
    shape: [DIMENSIONS],
    data: numbers.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS),
  };
});

/** An OpenAI list; `embed` makes of a tensor what stands for it. */
function listOf(embed) {
  return {
    object: 'list',
    data: tensors.map((tensor, index) => ({
      object: 'embedding',
      embedding: embed(tensor),
      index,
    })),
    model: 'sentence-transformers/all-MiniLM-L6-v2',
    usage: { prompt_tokens: 14_336, total_tokens: 14_336 },
  };
}

const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const base64Of = (tensor) => bytesOf(tensor).toString('base64');
const doublesOf = ({ data }) => Array.from(data);
/** What reads back to the same float32, mostly with a digit too many. */
const digitsOf = ({ data }) => Array.from(data, (value) => Number(value.toPrecision(9)));
const mapOf = (data_encoding, data) => (tensor) => {
  return { shape: tensor.shape, dtype: 'float32', data_encoding, data: data(tensor) };
};

const float64Encoder = new Encoder();
const float32Encoder = new Encoder({ forceFloat32: true });
const packr = new Packr({ useRecords: false });
const float32Packr = new Packr({ useRecords: false, useFloat32: FLOAT32_OPTIONS.ALWAYS });

const stringify = (embed) => () => Buffer.from(JSON.stringify(listOf(embed)));
const written = (wire, encoding) => () => {
  const value = listOf((tensor) => ENCODINGS[encoding].encode(tensor, wire));
  // An answer is never joined: this keeps its slices, as the socket would.
  return [...wire.serialize(value)];
};

/** Each group: what is to be beaten, then ours. */
const GROUPS = {
  'JSON, float': {
    'JSON.stringify, 9 digits': stringify(digitsOf),
    'JSON.stringify, doubles': stringify(doublesOf),
    'json wire': written(json, 'float'),
  },
  'JSON, base64': {
    'JSON.stringify': stringify(base64Of),
    'json wire': written(json, 'base64'),
  },
  'JSON, tensor': {
    'JSON.stringify': stringify(mapOf('base64', base64Of)),
    'json wire': written(json, 'tensor'),
  },
  'MessagePack, float': {
    '@msgpack/msgpack, float64': () => float64Encoder.encode(listOf(doublesOf)),
    '@msgpack/msgpack, float32': () => float32Encoder.encode(listOf(doublesOf)),
    'msgpackr, float64': () => packr.pack(listOf(doublesOf)),
    'msgpackr, float32': () => float32Packr.pack(listOf(doublesOf)),
    'msgpack wire': written(msgpack, 'float'),
  },
  'MessagePack, base64': {
    '@msgpack/msgpack': () => encode(listOf(base64Of)),
    msgpackr: () => packr.pack(listOf(base64Of)),
    'msgpack wire': written(msgpack, 'base64'),
  },
  'MessagePack, tensor': {
    '@msgpack/msgpack': () => encode(listOf(mapOf('binary', bytesOf))),
    msgpackr: () => packr.pack(listOf(mapOf('binary', bytesOf))),
    'msgpack wire': written(msgpack, 'tensor'),
  },
};

/** Many short rounds: on a busy machine one of them runs undisturbed. */
const ROUNDS = { rounds: 60, roundMs: 10 };

for (const [title, variants] of Object.entries(GROUPS)) {
  compare(`${title}: ${ROWS} x ${DIMENSIONS} float32`, variants, ROUNDS);
}
