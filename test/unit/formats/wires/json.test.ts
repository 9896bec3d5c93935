import fc from 'fast-check';
import { Float32Bytes, type WireValue } from '../../../../src/formats/wire.ts';
import { json } from '../../../../src/formats/wires/json.ts';

function text(value: WireValue): string {
  return Buffer.concat([...json.serialize(value)]).toString('utf8');
}

const BYTES = Float32Array.from([9, 1.5, 9]).subarray(1, 2);

describe('the JSON wire', () => {
  test.each<[WireValue, string]>([
    [null, 'null'],
    [true, 'true'],
    [12.5, '12.5'],
    [1e21, '1e+21'],
    ['', '""'],
    ['a"\\\n\u007f\u00e4\ud83d\ude00', '"a\\"\\\\\\n\u007f\u00e4\ud83d\ude00"'],
    [[], '[]'],
    [{}, '{}'],
    [new Float32Array(0), '[]'],
    [Float32Array.from([0.1, -2]), '[0.1,-2]'],
    [new Float32Bytes(BYTES, false), '"AADAPw=="'],
    [new Float32Bytes(BYTES, true), '"AADAPw=="'],
    [new Float32Bytes(new Float32Array(0), false), '""'],
    [[1, [2], { a: [], 'b"': null }], '[1,[2],{"a":[],"b\\"":null}]'],
  ])('writes %j', (value, expected) => {
    expect(text(value)).toBe(expected);
  });

  test('writes the text that JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(text(value as WireValue)).toBe(JSON.stringify(value));
      }),
      { plugins: [fc.interruptAfterTimeLimit(5_000)] },
    );
  });

  test('carries bytes as base64', () => {
    expect(json.dataEncoding).toBe('base64');
    expect(json.mediaTypes).toEqual(['application/json']);
  });
});
