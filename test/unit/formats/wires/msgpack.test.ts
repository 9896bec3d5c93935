import { Float32Bytes, type WireValue } from '../../../../src/formats/wire.ts';
import { msgpack } from '../../../../src/formats/wires/msgpack.ts';

function written(value: WireValue): Buffer {
  return Buffer.concat([...msgpack.serialize(value)]);
}

/** In hexadecimal; of a long value, only how it begins. */
function begin(value: WireValue, count = 1_000): string {
  return written(value).subarray(0, count).toString('hex');
}

function keys(count: number): WireValue {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, null]));
}

const NUMBERS = Float32Array.from([9, 1, -0, 0, 1.401298464324817e-45, 9]);

describe('the MessagePack wire', () => {
  test.each<[WireValue, string]>([
    [null, 'c0'],
    [false, 'c2'],
    [true, 'c3'],
    [0, '00'],
    [127, '7f'],
    [128, 'cc80'],
    [255, 'ccff'],
    [256, 'cd0100'],
    [65_535, 'cdffff'],
    [65_536, 'ce00010000'],
    [4_294_967_295, 'ceffffffff'],
    [4_294_967_296, 'cf0000000100000000'],
    [Number.MAX_SAFE_INTEGER, 'cf001fffffffffffff'],
    [-1, 'ff'],
    [-32, 'e0'],
    [-33, 'd0df'],
    [-128, 'd080'],
    [-129, 'd1ff7f'],
    [-32_768, 'd18000'],
    [-32_769, 'd2ffff7fff'],
    [-2_147_483_648, 'd280000000'],
    [-2_147_483_649, 'd3ffffffff7fffffff'],
    [Number.MIN_SAFE_INTEGER, 'd3ffe0000000000001'],
    [0.1, 'cb3fb999999999999a'],
    [2 ** 60, 'cb43b0000000000000'],
    ['', 'a0'],
    ['index', 'a5696e646578'],
    ['\u00e4', 'a2c3a4'],
    ['\ud83d\ude00', 'a4f09f9880'],
    ['a lone \ud83d', 'aa61206c6f6e6520efbfbd'],
    [[], '90'],
    [[1, [2]], '92019102'],
    [{}, '80'],
    [{ a: null, b: [] }, '82a161c0a16290'],
  ])('writes %j as %s', (value, expected) => {
    expect(begin(value)).toBe(expected);
  });

  test.each<[string, WireValue, string]>([
    ['31 bytes of text', 'x'.repeat(31), 'bf78'],
    ['32 bytes of text', 'x'.repeat(32), 'd920'],
    ['32 bytes of text in 16 characters', '\u00e4'.repeat(16), 'd920'],
    ['255 bytes of text', 'x'.repeat(255), 'd9ff'],
    ['256 bytes of text', 'x'.repeat(256), 'da0100'],
    ['65,535 bytes of text', 'x'.repeat(65_535), 'daffff'],
    ['65,536 bytes of text', 'x'.repeat(65_536), 'db00010000'],
    ['15 items', Array<null>(15).fill(null), '9fc0'],
    ['16 items', Array<null>(16).fill(null), 'dc0010c0'],
    ['65,535 items', Array<null>(65_535).fill(null), 'dcffffc0'],
    ['65,536 items', Array<null>(65_536).fill(null), 'dd00010000c0'],
    ['15 fields', keys(15), '8fa130c0'],
    ['16 fields', keys(16), 'de0010a130c0'],
    ['65,536 fields', keys(65_536), 'df00010000a130c0'],
    ['15 numbers', new Float32Array(15), '9fca'],
    ['16 numbers', new Float32Array(16), 'dc0010ca'],
    ['65,536 numbers', new Float32Array(65_536), 'dd00010000ca'],
    ['no bytes', new Float32Bytes(new Float32Array(0), false), 'c400'],
    ['252 bytes', new Float32Bytes(new Float32Array(63), false), 'c4fc00'],
    ['256 bytes', new Float32Bytes(new Float32Array(64), false), 'c5010000'],
    ['65,536 bytes', new Float32Bytes(new Float32Array(16_384), false), 'c60001000000'],
  ])('begins %s', (_title, value, expected) => {
    expect(begin(value, expected.length / 2)).toBe(expected);
  });

  test('gives each float32 five bytes, high byte first, zeros included', () => {
    expect(begin(NUMBERS.subarray(1, 5))).toBe(
      ['94', 'ca3f800000', 'ca80000000', 'ca00000000', 'ca00000001'].join(''),
    );
    const bytes = written(new Float32Array(20_000).fill(0.25));
    expect(bytes).toHaveLength(3 + 5 * 20_000);
    for (let at = 3; at < bytes.length; at += 5) {
      if (bytes.readUInt32BE(at) !== 0xca3e8000) throw new Error(`no 0.25 at byte ${at}`);
    }
  });

  test('gives raw float32 their low byte first, and Base64 as text', () => {
    const view = NUMBERS.subarray(1, 3);
    expect(begin(new Float32Bytes(view, false))).toBe('c4080000803f00000080');
    expect(begin(new Float32Bytes(view, true))).toBe(
      `ac${Buffer.from('AACAPwAAAIA=').toString('hex')}`,
    );
  });

  test('is labelled by either media type', () => {
    expect(msgpack.mediaTypes).toEqual(['application/msgpack', 'application/x-msgpack']);
    expect(msgpack.dataEncoding).toBe('binary');
  });
});
