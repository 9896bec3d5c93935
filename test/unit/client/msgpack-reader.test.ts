import { readMsgpack } from '../../../src/client/decode/msgpack-reader.ts';
import { floatRow, pack } from '../../support/pack.ts';

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

describe('readMsgpack()', () => {
  test.each<[string, unknown]>([
    ['00', 0],
    ['7f', 127],
    ['ff', -1],
    ['e0', -32],
    ['cc ff', 255],
    ['cd ff ff', 65_535],
    ['ce ff ff ff ff', 2 ** 32 - 1],
    ['cf 00 00 01 00 00 00 00 00', 2 ** 40],
    ['cf ff ff ff ff ff ff ff ff', 2n ** 64n - 1n],
    ['d0 80', -128],
    ['d1 80 00', -32_768],
    ['d2 80 00 00 00', -(2 ** 31)],
    ['d3 ff ff ff ff ff ff ff fb', -5],
    ['d3 80 00 00 00 00 00 00 00', -(2n ** 63n)],
    ['ca 3f c0 00 00', 1.5],
    ['cb 3f b9 99 99 99 99 99 9a', 0.1],
    ['c0', null],
    ['c2', false],
    ['c3', true],
    ['a3 61 62 63', 'abc'],
    ['a2 c3 a9', 'é'],
    ['d9 01 61', 'a'],
    ['da 00 01 61', 'a'],
    ['db 00 00 00 01 61', 'a'],
    ['a2 ff fe', Uint8Array.of(0xff, 0xfe)],
    ['c4 02 de ad', Uint8Array.of(0xde, 0xad)],
    ['c5 00 01 de', Uint8Array.of(0xde)],
    ['c6 00 00 00 01 de', Uint8Array.of(0xde)],
    ['90', []],
    ['92 01 a1 61', [1, 'a']],
    ['dc 00 01 01', [1]],
    ['dd 00 00 00 01 01', [1]],
    ['80', {}],
    ['82 a1 61 01 02 03', { a: 1, 2: 3 }],
    ['de 00 01 a1 61 01', { a: 1 }],
    ['df 00 00 00 01 a1 61 01', { a: 1 }],
    ['81 c4 01 61 01', { a: 1 }],
    ['d4 07 2a', { type: 7, data: Uint8Array.of(42) }],
    ['d6 ff 00 00 00 01', { type: -1, data: Uint8Array.of(0, 0, 0, 1) }],
    ['c7 02 05 01 02', { type: 5, data: Uint8Array.of(1, 2) }],
    ['01 02 03', 1],
  ])('reads %s', (text, value) => {
    expect(readMsgpack(hex(text))).toEqual(value);
  });

  test('makes __proto__ an own property', () => {
    const value = readMsgpack(pack({ ['__proto__']: { polluted: 1 } })) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    ['0xc1', 'c1'],
    ['nothing', ''],
    ['a key that is a list', '81 90 01'],
    ['a key that is not UTF-8', '81 c4 01 ff 01'],
  ])('refuses %s', (_, text) => {
    expect(() => readMsgpack(hex(text))).toThrow();
  });

  test('nests to 128 levels and no deeper', () => {
    expect(readMsgpack(hex(`${'91'.repeat(128)}c0`))).toBeInstanceOf(Array);
    expect(() => readMsgpack(hex(`${'91'.repeat(129)}c0`))).toThrow('nested deeper than 128');
  });

  test.each([
    'dd ff ff ff ff',
    'df ff ff ff ff',
    'c6 ff ff ff ff',
    'db ff ff ff ff',
    'c9 ff ff ff ff 01',
  ])('refuses the length that lies in %s', (text) => {
    expect(() => readMsgpack(hex(text))).toThrow('unexpected end of data');
    expect(() => readMsgpack(hex(text), 'float32')).toThrow('unexpected end of data');
  });

  test('refuses a value that ends early, at every byte', () => {
    const whole = pack({
      a: [1, -1, 300, 70_000, 2 ** 40, 1.5, null, true, 'text', 'é'.repeat(20)],
      b: { c: Uint8Array.of(1, 2, 3), d: floatRow([1, 2, 3]) },
    });
    for (let end = 0; end < whole.length; end++) {
      expect(() => readMsgpack(whole.subarray(0, end))).toThrow();
      expect(() => readMsgpack(whole.subarray(0, end), 'float32')).toThrow();
    }
  });

  test('any bytes give a value or an error, and no large allocation', () => {
    let seed = 12_345;
    function next(): number {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    }
    for (let round = 0; round < 3000; round++) {
      const bytes = Uint8Array.from({ length: 1 + (next() % 64) }, next);
      for (const mode of ['array', 'float32'] as const) {
        try {
          readMsgpack(bytes, mode);
        } catch (error) {
          expect(error).toMatchObject({ message: expect.any(String) as string });
        }
      }
    }
  });
});

describe('rows of float32', () => {
  const row = Float32Array.from({ length: 384 }, (_, i) => Math.fround(Math.sin(i)));

  test.each(['array16', 'array32'] as const)('%s: numbers are bit-identical', (head) => {
    const bytes = pack([floatRow(Array.from(row), head)]);
    expect(readMsgpack(bytes)).toEqual([Array.from(row)]);
    expect(readMsgpack(bytes, 'float32')).toEqual([row]);
  });

  test('rows share one buffer', () => {
    const rows = readMsgpack(
      pack([floatRow([1, 2]), floatRow([3, 4])]),
      'float32',
    ) as Float32Array[];
    expect(rows[0]?.buffer).toBe(rows[1]?.buffer);
    expect(rows.map((one) => Array.from(one))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test.each([0, 1, 383])('a 0 as an integer at %i falls back', (at) => {
    const numbers: unknown[] = Array.from(row);
    const parts = numbers.map((value, i) =>
      i === at ? Uint8Array.of(0) : floatRow([value as number]).elements,
    );
    const bytes = Buffer.concat([Uint8Array.of(0xdc, 1, 128), ...parts]);
    const expected = Array.from(row);
    expected[at] = 0;
    expect(readMsgpack(bytes)).toEqual(expected);
    expect(Array.from(readMsgpack(bytes, 'float32') as number[])).toEqual(expected);
  });
});
