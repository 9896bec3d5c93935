import { floatBytes, type Row } from './fixture-row.ts';
import { Raw } from './pack.ts';

const F01 = Math.fround(0.1);
const ANY = {
  bin: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
  f: 1.5,
  big: new Raw(0xcf, 0, 0, 1, 0, 0, 0, 0, 0),
  neg: new Raw(0xfb),
  no: null,
  yes: true,
  ext: new Raw(0xd4, 7, 42),
  stamp: new Raw(0xd6, 0xff, 0, 0, 0, 1),
};
const RERANK = [
  { index: 1, score: 0.75, text: null },
  { index: 0, score: 0.25, text: 'a' },
];
const LABELS = [
  [
    { label: 'x', score: 0.75 },
    { label: 'y', score: 0.25 },
  ],
];

/** Answers to rerank, classify and other requests. */
export const SCORE_ROWS: readonly Row[] = [
  {
    name: 'rerank-ok',
    call: 'rerank',
    texts: 2,
    json: RERANK,
    python: true,
    array: { value: RERANK },
  },
  {
    name: 'rerank-notext',
    call: 'rerank',
    json: [{ index: 0, score: 1 }],
    python: true,
    array: { value: [{ index: 0, score: 1, text: null }] },
  },
  {
    name: 'rerank-f32',
    call: 'rerank',
    packed: [{ index: 0, score: new Raw(0xca, ...floatBytes(0.1)) }],
    python: true,
    array: { value: [{ index: 0, score: F01, text: null }] },
  },
  {
    name: 'rerank-positional',
    call: 'rerank',
    json: [[0, 0.5, null]],
    python: true,
    array: 'refused',
  },
  {
    name: 'rerank-wrapped',
    call: 'rerank',
    json: { object: 'list', data: RERANK },
    python: false,
    array: 'refused',
  },
  {
    name: 'rerank-results',
    call: 'rerank',
    json: { results: [{ index: 0, relevance_score: 0.5 }] },
    python: false,
    array: 'refused',
  },
  { name: 'classify-ok', call: 'classify', json: LABELS, python: true, array: { value: LABELS } },
  {
    name: 'classify-extra',
    call: 'classify',
    json: [[{ label: 'x', score: 0.75, more: 1 }]],
    python: true,
    array: { value: [[{ label: 'x', score: 0.75 }]] },
  },
  { name: 'classify-flat', call: 'classify', json: LABELS[0], python: false, array: 'refused' },
  {
    name: 'any',
    call: 'any',
    packed: ANY,
    python: true,
    array: {
      value: {
        bin: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
        f: 1.5,
        big: 2 ** 40,
        neg: -5,
        no: null,
        yes: true,
        ext: { type: 7, data: Uint8Array.of(42) },
        stamp: { type: -1, data: Uint8Array.of(0, 0, 0, 1) },
      },
    },
  },
  {
    name: 'any-int-key',
    call: 'any',
    packed: new Raw(0x81, 1, 2),
    python: true,
    array: { value: { 1: 2 } },
  },
  {
    name: 'any-u64',
    call: 'any',
    packed: new Raw(0xcf, ...Array<number>(8).fill(255)),
    python: true,
    array: { value: 2n ** 64n - 1n },
  },
  {
    name: 'any-badutf8',
    call: 'any',
    packed: new Raw(0xa2, 0xff, 0xfe),
    python: true,
    array: { value: Uint8Array.of(0xff, 0xfe) },
  },
  { name: 'any-c1', call: 'any', packed: new Raw(0xc1), python: false, array: 'refused' },
];
