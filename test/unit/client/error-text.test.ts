import { gzipSync } from 'node:zlib';
// Sets what decompresses on this platform.
import '../../../src/client/index.ts';
import { errorText } from '../../../src/client/decode/codings.ts';

const MIB = 1_048_576;
const GZIP = { headers: { 'content-encoding': 'gzip' } };

describe('errorText()', () => {
  test('is the text of a compressed body', () => {
    expect(errorText(gzipSync('no such model'), GZIP, 512 * MIB)).toBe('no such model');
  });

  test('is never much longer than people read, however much a body holds', () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, 97));
    expect(errorText(bomb, GZIP, 512 * MIB).length).toBeLessThanOrEqual(4 * MIB);
    expect(errorText(Buffer.alloc(64 * MIB, 97), { headers: {} }, 512 * MIB)).toHaveLength(4 * MIB);
  });
});
