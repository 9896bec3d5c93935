import { readFileSync } from 'node:fs';
import { ENCODINGS, type EncodingName } from '../../src/formats/encodings/index.ts';
import { negotiate } from '../../src/formats/negotiate.ts';
import type { Wire, WireValue } from '../../src/formats/wire.ts';
import { json } from '../../src/formats/wires/json.ts';
import { msgpack } from '../../src/formats/wires/msgpack.ts';
import type { Float32Tensor } from '../../src/tensor.ts';
import { folderOf } from '../support/open-servable.ts';
import { describePython, runPython } from '../support/python.ts';

const PAGE = readFileSync(folderOf('docs/formats.md'), 'utf8');
const WIRES: Readonly<Record<string, Wire>> = { JSON: json, MessagePack: msgpack };

/** The tensors of the examples. */
const VECTOR: Float32Tensor = { shape: [3], data: Float32Array.of(0.1, -2, 0) };
const MATRIX: Float32Tensor = { shape: [2, 2], data: Float32Array.of(1, 0.5, -2, 0.1) };

interface Section {
  readonly encoding: EncodingName;
  readonly wire: string;
  readonly dumps: readonly string[];
  readonly lines: readonly string[];
}

const SECTIONS = Array.from(
  PAGE.matchAll(/^## `(\w+)` in (\w+)\n([\s\S]*?)(?=^## )/gm),
  ([, encoding, wire = '', text = '']): Section => ({
    encoding: encoding as EncodingName,
    wire,
    dumps: blocksOf(text, 'hexdump'),
    lines: blocksOf(text, 'python'),
  }),
);

function blocksOf(text: string, language: string): readonly string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'));
  return Array.from(blocks, ([, block = '']) => block);
}

/** Cells of the table below a row of headings, without the marks of code. */
function table(headings: string): readonly (readonly string[])[] {
  const [, after = ''] = PAGE.split(`| ${headings} |\n`);
  const [rows = ''] = after.split(/\n(?!\|)/);
  return rows
    .split('\n')
    .slice(1)
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

function written(wire: Wire, value: WireValue): Buffer {
  return Buffer.concat([...wire.serialize(value)]);
}

function encoded(encoding: EncodingName, wire: Wire, tensor: Float32Tensor): Buffer {
  return written(wire, ENCODINGS[encoding].encode(tensor, wire));
}

/** Lines of 16 bytes: their place, themselves, and what of them is printable. */
function dump(bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = Array.from(bytes.subarray(at, at + 16));
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = line.map((byte) => (byte < 32 || byte > 126 ? '.' : String.fromCharCode(byte)));
    lines.push(`${at.toString(16).padStart(2, '0')}  ${hex.padEnd(48)} ${text.join('')}`);
  }
  return lines.join('\n');
}

describe('docs/formats.md', () => {
  test('has a section for every encoding on every wire, and no other', () => {
    expect(SECTIONS.map(({ encoding, wire }) => `${encoding} in ${wire}`)).toEqual(
      Object.keys(ENCODINGS).flatMap((encoding) =>
        Object.keys(WIRES).map((wire) => `${encoding} in ${wire}`),
      ),
    );
    expect(table('encoding | a vector | a token matrix | data').map(([name]) => name)).toEqual(
      Object.keys(ENCODINGS),
    );
  });

  test.each(SECTIONS)('shows the bytes of $encoding in $wire', ({ encoding, wire, dumps }) => {
    const found = WIRES[wire];
    if (!found) throw new Error(`there is no wire ${wire}`);
    expect(dumps).toEqual([VECTOR, MATRIX].map((each) => dump(encoded(encoding, found, each))));
  });

  test('shows the bytes of a whole answer', () => {
    const [, section = ''] = PAGE.split('## A whole answer\n');
    const answer = {
      object: 'list',
      data: [{ object: 'embedding', embedding: ENCODINGS.float.encode(VECTOR, msgpack), index: 0 }],
      model: 'm',
      usage: { prompt_tokens: 3, total_tokens: 3 },
    };
    expect(blocksOf(section, 'hexdump')).toEqual([dump(written(msgpack, answer))]);
  });

  test('says what each Accept header gives', () => {
    const rows = table('`Accept` | `Content-Type` of the answer');
    expect(rows.length).toBeGreaterThan(10);
    for (const [accept, mediaType] of rows) {
      expect([accept, negotiate(accept === 'none' ? undefined : accept).mediaType]).toEqual([
        accept,
        mediaType,
      ]);
    }
  });

  test('shows float32 numbers as their bytes, and as JSON', () => {
    const bytes = table('number | float32 | low byte first');
    expect(bytes.map(([number]) => Number(number))).toEqual([0.1, -2, 0]);
    for (const [number, high, low = ''] of bytes) {
      const buffer = Buffer.alloc(4);
      buffer.writeFloatBE(Number(number));
      expect(buffer.toString('hex')).toBe(high);
      expect(buffer.reverse().toString('hex')).toBe(low.replaceAll(' ', ''));
    }
    const texts = table('float32 | JSON');
    expect(texts.length).toBeGreaterThan(4);
    for (const [high = '', text] of texts) {
      const number = Buffer.from(high, 'hex').readFloatBE();
      expect(written(json, Float32Array.of(number)).toString()).toBe(`[${text ?? ''}]`);
    }
  });

  test('says the size of a vector', () => {
    const file = readFileSync(folderOf('test/golden/golden-minilm.jsonl'), 'utf8');
    const [line = ''] = file.split('\n');
    const { embedding } = JSON.parse(line) as { readonly embedding: readonly number[] };
    const tensor = { shape: [embedding.length], data: Float32Array.from(embedding) };
    for (const [name, ...cells] of table('encoding | JSON | MessagePack')) {
      const sizes = Object.values(WIRES).map(
        (wire) => encoded(name as EncodingName, wire, tensor).length,
      );
      const said = cells.map((cell) => Number(cell.replace(/^about |,/g, '')));
      // Numbers in JSON differ in length.
      const [inJson = 0, inMsgpack] = sizes;
      if (name === 'float') expect(Math.abs(inJson / (said[0] ?? 0) - 1)).toBeLessThan(0.03);
      else expect(inJson).toBe(said[0]);
      expect(inMsgpack).toBe(said[1]);
    }
  });
});

describePython('the NumPy lines of docs/formats.md', () => {
  test('give the numbers of the examples', async () => {
    const examples = SECTIONS.flatMap(({ wire, dumps, lines }) =>
      dumps.map((text, place) => ({
        wire,
        hex: text.replace(/^[\da-f]+ {2}(.{48}).*$/gm, '$1').replace(/\s/g, ''),
        line: lines[place],
      })),
    );
    const arrays = await runPython('read_examples', [JSON.stringify(examples)]);
    const expected = [VECTOR, MATRIX].map(({ shape, data }) => ({
      shape,
      dtype: 'float32',
      hex: Buffer.from(data.buffer).toString('hex'),
    }));
    expect(arrays).toEqual(SECTIONS.flatMap(() => expected));
  });
});
