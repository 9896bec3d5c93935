import { DECODERS } from '../../../src/formats/decode.ts';
import { ENCODINGS, type EncodingName } from '../../../src/formats/encodings/index.ts';

/** 1.5 and -2 */
const BYTES = Uint8Array.of(0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0);
const TEXT = 'AADAPwAAAMA=';
const DATA = Float32Array.of(1.5, -2);

function tensorOf(changes: object): object {
  return { shape: [2], dtype: 'float32', data_encoding: 'base64', data: TEXT, ...changes };
}

describe('DECODERS', () => {
  test('undo every encoding', () => {
    expect(Object.keys(DECODERS)).toEqual(Object.keys(ENCODINGS));
  });

  test.each<[EncodingName, unknown, readonly number[]]>([
    ['float', [1.5, -2], [2]],
    ['float', [[1.5], [-2]], [2, 1]],
    ['float', [[1.5, -2]], [1, 2]],
    ['base64', TEXT, [2]],
    ['base64', [TEXT], [1, 2]],
    ['base64', ['AADAPw==', 'AAAAwA=='], [2, 1]],
    ['tensor', tensorOf({}), [2]],
    ['tensor', tensorOf({ shape: [1, 2], unknown: 1 }), [1, 2]],
    ['tensor', tensorOf({ data_encoding: 'binary', data: BYTES }), [2]],
  ])('%s reads %j', (name, value, shape) => {
    expect(DECODERS[name](value)).toEqual({ shape, data: DATA });
  });

  test.each<[EncodingName, unknown, readonly number[]]>([
    ['float', [], [0]],
    ['base64', '', [0]],
    ['base64', [], [0, 0]],
    ['tensor', tensorOf({ shape: [0, 0], data: '' }), [0, 0]],
  ])('%s reads %j, which holds no number', (name, value, shape) => {
    expect(DECODERS[name](value)).toEqual({ shape, data: new Float32Array(0) });
  });

  test('give a copy of bytes', () => {
    const bytes = BYTES.slice();
    const { data } = DECODERS.tensor(tensorOf({ data_encoding: 'binary', data: bytes }));
    bytes.fill(0);
    expect(data).toEqual(DATA);
  });

  test.each<[EncodingName, unknown]>([
    ['float', 'text'],
    ['float', [1, 'x']],
    ['float', [[1], 2]],
    ['float', [[1], [1, 2]]],
    ['base64', 5],
    ['base64', [5]],
    ['base64', 'AAA='],
    ['base64', '*'],
    ['tensor', null],
    ['tensor', TEXT],
    ['tensor', tensorOf({ dtype: 'int8' })],
    ['tensor', tensorOf({ dtype: undefined })],
    ['tensor', tensorOf({ data: 5 })],
    ['tensor', tensorOf({ data_encoding: 'binary' })],
    ['tensor', tensorOf({ shape: [3] })],
    ['tensor', tensorOf({ shape: [-1, -2] })],
    ['tensor', tensorOf({ shape: ['2'] })],
    ['tensor', tensorOf({ shape: 2 })],
  ])('%s refuses %j', (name, value) => {
    expect(() => DECODERS[name](value)).toThrow();
  });
});
