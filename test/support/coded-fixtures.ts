import { gzipSync } from 'node:zlib';
import { answer, JSON_TYPE, MSGPACK_TYPE, type Expected, type Row } from './fixture-row.ts';
import { pack } from './pack.ts';

const HALF = answer([0.5]);
const HALF_JSON = Buffer.from(JSON.stringify(HALF));
const MANY = Array.from({ length: 4000 }, (_, i) => i / 4);
/** A zstd frame of raw blocks. `windowLog`: without a content size, with a window of 2^that. */
export function zstdFrame(content: Uint8Array, windowLog: number | null = null): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  const descriptor =
    windowLog === null
      ? Buffer.concat([Buffer.of(0xa0), size])
      : Buffer.of(0, (windowLog - 10) << 3);
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += 65_536) {
    const part = content.subarray(at, at + 65_536);
    const last = at + part.length === content.length ? 1 : 0;
    const header = Buffer.alloc(3);
    header.writeUIntLE((part.length << 3) | last, 0, 3);
    blocks.push(header, Buffer.from(part));
  }
  return Buffer.concat([head, descriptor, ...blocks]);
}

/**
 * The JSON of ten numbers, 0.5 and 0.25 by turns, compressed. Origin: the zstd command, level 19,
 * from a file.
 */
const ZSTD_GOLDEN = Buffer.from(
  'KLUv/SSvPQMAwsYVGIBrG9SB8th2GRU2vYZBJk4CmIiZokkYAVHEVHMfg/xzu3AbzTRumEP5TdRzjm/Ps1VuxyIqcBCAhAOQiMSUf1bdOj5xS3WPtkRetdLj+y32fCOrHHwoBABBc4NYiJ8zsjieY/HNM0A=',
  'base64',
);
const ZSTD_HALF = zstdFrame(HALF_JSON);
const TEN = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 0.5 : 0.25));

/** Answers that are compressed, empty, or labelled in other ways. */
export const CODED_ROWS: readonly Row[] = [
  { name: 'empty', type: JSON_TYPE, body: Buffer.alloc(0), python: false, array: 'refused' },
  {
    name: 'empty (MessagePack)',
    type: MSGPACK_TYPE,
    body: Buffer.alloc(0),
    python: false,
    array: 'refused',
  },
  {
    name: '204',
    type: JSON_TYPE,
    body: Buffer.alloc(0),
    status: 204,
    python: false,
    array: 'refused',
  },
  ...coded('zstd-golden', ZSTD_GOLDEN, { value: TEN }),
  ...coded('zstd-one-frame', ZSTD_HALF, { value: [0.5] }),
  ...coded(
    'zstd-several-frames',
    Buffer.concat([zstdFrame(HALF_JSON.subarray(0, 9)), zstdFrame(HALF_JSON.subarray(9), 20)]),
    { value: [0.5] },
  ),
  ...coded('zstd-no-size', zstdFrame(HALF_JSON, 20), { value: [0.5] }),
  ...coded('zstd-window-24', zstdFrame(Buffer.from(JSON.stringify(answer(MANY))), 24), {
    value: MANY,
  }),
  ...coded('zstd-window-27', zstdFrame(Buffer.from(JSON.stringify(answer(MANY))), 27), {
    value: MANY,
  }),
  {
    name: 'zstd-msgpack',
    type: MSGPACK_TYPE,
    coding: 'zstd',
    body: zstdFrame(pack(HALF)),
    python: true,
    array: { value: [0.5] },
  },
  {
    name: 'zstd-wrong-header',
    type: JSON_TYPE,
    coding: 'zstd',
    body: HALF_JSON,
    python: false,
    array: 'refused',
  },
  { name: 'zstd-wrong-body', type: JSON_TYPE, body: ZSTD_HALF, python: false, array: 'refused' },
  {
    name: 'gzip',
    type: JSON_TYPE,
    coding: 'gzip',
    body: gzipSync(HALF_JSON),
    python: false,
    array: { value: [0.5] },
  },
  ...[
    'application/msgpack',
    'application/x-msgpack',
    'application/messagepack',
    'application/vnd.msgpack',
    'APPLICATION/MSGPACK',
    'application/msgpack; charset=binary',
  ].map((type): Row => ({
    name: type,
    type,
    body: pack(HALF),
    python: true,
    array: { value: [0.5] },
  })),
  ...['application/octet-stream', 'application/x+msgpack'].map((type): Row => ({
    name: `${type} over MessagePack`,
    type,
    body: pack(HALF),
    python: false,
    array: 'refused',
  })),
  ...['text/plain', 'text/html'].map((type): Row => ({
    name: `${type} over JSON`,
    type,
    body: HALF_JSON,
    python: true,
    array: { value: [0.5] },
  })),
];

function coded(name: string, body: Uint8Array, array: Expected): Row[] {
  return [{ name, type: JSON_TYPE, coding: 'zstd', body, python: true, array }];
}
