import fc from 'fast-check';
import { MAX_FLOAT32_TEXT_BYTES, writeFloat32 } from '../../../src/formats/float32-text.ts';
import { thrown } from '../../support/thrown.ts';

const target = new Uint8Array(MAX_FLOAT32_TEXT_BYTES + 2).fill(0x7e);
const bits = new Uint32Array(1);
const value = new Float32Array(bits.buffer);

function text(number: number): string {
  const end = writeFloat32(number, target, 1);
  expect(end - 1).toBeLessThanOrEqual(MAX_FLOAT32_TEXT_BYTES);
  return Buffer.from(target.subarray(1, end)).toString('latin1');
}

function fromBits(pattern: number): number {
  bits[0] = pattern;
  return value[0] ?? 0;
}

/** Digits between the first and the last that isn't zero. */
function digitsOf(decimal: string): number {
  const [mantissa = ''] = decimal.split('e');
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}

/** The shortest decimal that reads back, by trying all lengths: slow, but plain. */
function reference(number: number): number {
  for (let digits = 1; digits < 9; digits += 1) {
    const candidate = Number(number.toPrecision(digits));
    if (Math.fround(candidate) === number) return candidate;
  }
  return Number(number.toPrecision(9));
}

function check(number: number): void {
  const written = text(number);
  const read = JSON.parse(written) as number;
  if (!Object.is(Math.fround(read), number)) throw new Error(`${number} is written as ${written}`);
  if (digitsOf(written) > digitsOf(String(reference(number)))) {
    throw new Error(`${number} is written as ${written}, and ${reference(number)} is shorter`);
  }
  // Of two equally short ones, the nearer.
  const distance = Math.abs(read - number) - Math.abs(reference(number) - number);
  if (digitsOf(written) === digitsOf(String(reference(number))) && distance > 0) {
    throw new Error(`${number} is written as ${written}, and ${reference(number)} is nearer`);
  }
}

describe('writeFloat32()', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [0.1, '0.1'],
    [0.0345, '0.0345'],
    [-0.00012345, '-0.00012345'],
    [100, '100'],
    [123456.7, '123456.7'],
    [16777217, '16777216'],
    [1e8, '100000000'],
    [123456789, '123456790'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [1.1754943508222875e-38, '1.1754944e-38'],
    [1.401298464324817e-45, '1e-45'],
    [9.5367431640625e-7, '9.536743e-7'],
  ])('writes %d as %s', (number, expected) => {
    expect(text(Math.fround(number))).toBe(expected);
  });

  test('leaves what is beside it alone', () => {
    target.fill(0x7e);
    const end = writeFloat32(Math.fround(0.1234567), target, 3);
    expect(target.subarray(0, 3)).toEqual(new Uint8Array(3).fill(0x7e));
    expect(target[end]).toBe(0x7e);
  });

  test.each([NaN, Infinity, -Infinity])('refuses %d', (number) => {
    expect(thrown(() => text(number))).toMatchObject({ code: 'inference_failed' });
  });

  test('writes every power of two and its neighbours', () => {
    for (let exponent = 0; exponent < 255; exponent += 1) {
      for (const offset of [-2, -1, 0, 1, 2])
        check(fromBits(Math.max(0, (exponent << 23) + offset)));
    }
  });

  test('writes every power of ten and its neighbours', () => {
    for (let exponent = -45; exponent <= 38; exponent += 1) {
      value[0] = 10 ** exponent;
      const pattern = bits[0] ?? 0;
      for (let offset = -20; offset <= 20; offset += 1)
        check(fromBits(Math.max(0, pattern + offset)));
    }
  });

  test('writes any float32 as the shortest decimal that reads back', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (number) => {
        check(number);
      }),
      { numRuns: 10_000, plugins: [fc.interruptAfterTimeLimit(5_000)] },
    );
  });

  test('writes a sweep over the bit patterns', () => {
    const deadline = performance.now() + 2_500;
    // A step that is coprime to 2^32 reaches all exponents and changing mantissas.
    let pattern = fc.sample(fc.nat(0xffff), 1)[0] ?? 0;
    for (let count = 0; count < 1_000_000 && performance.now() < deadline; count += 1) {
      pattern = (pattern + 2_654_435_761) >>> 0;
      const number = fromBits(pattern);
      if (Number.isFinite(number)) check(number);
    }
  });

  test('writes the range of embeddings', () => {
    const deadline = performance.now() + 1_500;
    for (let count = 0; count < 500_000 && performance.now() < deadline; count += 1) {
      check(Math.fround(Math.sin(count * 12.9898) * 0.2));
    }
  });
});
