import { decodeBase64 } from '../../../src/client/decode/base64.ts';
import { decodeBase64Float32 } from '../../../src/client/decode/float-bytes.ts';

describe('decodeBase64()', () => {
  test('undoes what Node encodes, at every length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 37 + length) & 255));
      expect(Buffer.from(decodeBase64(bytes.toString('base64')))).toEqual(bytes);
    }
  });

  test.each([
    'A',
    'AAA',
    'AA=',
    'AA-_',
    'AA\n=',
    'é===',
    'A===',
    '====',
    'AA=A',
    'AAAAé=AA',
    'AAA AAAA',
  ])('refuses %j', (text) => {
    expect(() => decodeBase64(text)).toThrow();
  });
});

describe('decodeBase64Float32()', () => {
  test('reads little-endian float32', () => {
    const bytes = Buffer.alloc(8);
    bytes.writeFloatLE(1.5, 0);
    bytes.writeFloatLE(-0.1, 4);
    expect(Array.from(decodeBase64Float32(bytes.toString('base64')))).toEqual([
      1.5,
      Math.fround(-0.1),
    ]);
  });

  test('refuses a part of a number', () => {
    expect(() => decodeBase64Float32(Buffer.alloc(6).toString('base64'))).toThrow(
      '6 bytes are not a whole number of float32 values',
    );
  });
});
