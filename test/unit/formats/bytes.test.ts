import { base64Text, floatsOf, littleEndianBytes } from '../../../src/formats/bytes.ts';

const numbers = new Float32Array([0, 1.5, -2, 3e-5, 7]);

describe('littleEndianBytes()', () => {
  test('views just its part of the buffer', () => {
    const bytes = littleEndianBytes(numbers.subarray(1, 3));
    expect(bytes).toEqual(new Uint8Array([0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0]));
    expect(bytes.buffer).toBe(numbers.buffer);
  });

  test('turns the bytes on machines of the other order', () => {
    const bytes = littleEndianBytes(numbers.subarray(1, 2), false);
    expect(bytes).toEqual(new Uint8Array([0x3f, 0xc0, 0, 0]));
    expect(floatsOf(bytes, false)).toEqual(new Float32Array([1.5]));
  });
});

describe('floatsOf()', () => {
  test('reads at any offset, and gives a copy', () => {
    const bytes = new Uint8Array(1 + numbers.byteLength);
    bytes.set(littleEndianBytes(numbers), 1);
    const floats = floatsOf(bytes.subarray(1));
    expect(floats).toEqual(numbers);
    bytes.fill(0);
    expect(floats).toEqual(numbers);
  });

  test('copies the bytes of a Buffer too, at any offset', () => {
    const bytes = Buffer.concat([Buffer.of(7), littleEndianBytes(numbers)]);
    const floats = floatsOf(bytes.subarray(1));
    bytes.fill(0);
    expect(floats).toEqual(numbers);
  });

  test('refuses a cut number', () => {
    expect(() => floatsOf(new Uint8Array(5))).toThrow(TypeError);
  });
});

describe('base64Text()', () => {
  test('uses the standard alphabet and pads', () => {
    expect(base64Text(new Uint8Array([0, 0xfb, 0xff, 0xfe]).subarray(1, 3))).toBe('+/8=');
  });
});
