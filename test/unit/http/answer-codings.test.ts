import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress, init } from '@bokuweb/zstd-wasm';
import { answerCodings, type AnswerCoding } from '../../../src/http/answer-codings.ts';
import { DIST } from '../../support/open-servable.ts';

const choose = answerCodings(new URL('http/zstd-worker.js', DIST));

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

function decoded(name: string, bytes: Uint8Array): string {
  return Buffer.from((DECODERS[name] ?? decompress)(bytes)).toString();
}

beforeAll(() => init());

function codingNamed(name: string): AnswerCoding {
  const coding = choose(name);
  if (coding === null) throw new Error(`There is no coding ${name}`);
  return coding;
}

describe('the choice of a coding', () => {
  test.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['zstd;q=0, br;q=0.0, gzip;q=0.000', null],
    ['*', 'zstd'],
    ['*;q=0', null],
    ['zstd;q=0, *', 'br'],
    ['gzip, *;q=0', 'gzip'],
    ['gzip;q=0.5, *', 'zstd'],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', null],
    ['gzip ; q=0.3 , br ;q=0.2', 'gzip'],
    ['gzip;q=2', null],
    ['gzip;q=x, br', 'br'],
    ['x-gzip-like', null],
    ['constructor, __proto__', null],
    [`${'a, '.repeat(1_000)}gzip`, null],
  ])('of %s is %s', (header, name) => {
    expect(choose(header)?.name ?? null).toBe(name);
  });
});

describe.each(['zstd', 'br', 'gzip'])('the coding %s', (name) => {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => Math.sin(at)));

  test('encodes at once', async () => {
    for (const part of ['[]', text.slice(0, 30_000)]) {
      expect(decoded(name, await codingNamed(name).encode(Buffer.from(part)))).toBe(part);
    }
    expect((await codingNamed(name).encode(Buffer.from(text))).length).toBeLessThan(
      0.6 * text.length,
    );
  });

  test('encodes a stream of slices', async () => {
    const encoder = codingNamed(name).open();
    for (let at = 0; at < text.length; at += 40_000) encoder.write(text.slice(at, at + 40_000));
    const encoded = await buffer(encoder.end());
    expect(encoded.length).toBeLessThan(0.6 * text.length);
    expect(frames(name, encoded)).toBe(text);
  });
});

// The decoder of the tests takes one frame of Zstandard at a time, as their magic numbers tell.
function frames(name: string, bytes: Buffer): string {
  if (name !== 'zstd') return decoded(name, bytes);
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(magic, at + 4);
    const end = next < 0 ? bytes.length : next;
    texts.push(decoded(name, bytes.subarray(at, end)));
    at = end;
  }
  return texts.join('');
}
