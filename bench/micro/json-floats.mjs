/** An answer of 1,024 embeddings of 384 numbers as JSON: `JSON.stringify` against the server's own wire. */
import { json } from '../../dist/formats/wires/json.js';
import { compare } from './harness.mjs';

const ROWS = 1024;
const DIMENSIONS = 384;

const rows = Array.from({ length: ROWS }, (_, row) => {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(row * DIMENSIONS + i) / 19.6);
});

/** What reads back to the same float32, mostly with a digit too many. */
function stringified() {
  const data = rows.map((row) => Array.from(row, (value) => Number(value.toPrecision(9))));
  return Buffer.from(JSON.stringify({ data }));
}

function serialized() {
  return Buffer.concat([...json.serialize({ data: rows })]);
}

const back = JSON.parse(serialized().toString()).data;
const differs = rows.some((row, place) =>
  row.some((value, i) => value !== Math.fround(back[place][i])),
);
if (differs) throw new Error('The JSON wire lost a bit');

compare(`${ROWS} x ${DIMENSIONS} float32 as JSON`, {
  'JSON.stringify of 9 digits': stringified,
  'JSON.stringify of doubles': () =>
    Buffer.from(JSON.stringify({ data: rows.map((row) => [...row]) })),
  'the JSON wire': serialized,
});
