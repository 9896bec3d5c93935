import { giveBack, takeBuffer } from '../../../src/client/body-buffers.ts';

describe('takeBuffer() and giveBack()', () => {
  test('a buffer that was given back is used again, if it is long enough', () => {
    const first = takeBuffer(100);
    giveBack(first.subarray(0, 60));
    expect(takeBuffer(100).buffer).toBe(first.buffer);
    giveBack(first);
    expect(takeBuffer(101).buffer).not.toBe(first.buffer);
  });

  test('parts of a buffer, large ones, and more than is kept are left alone', () => {
    const part = new Uint8Array(100).subarray(10);
    giveBack(part);
    expect(takeBuffer(1).buffer).not.toBe(part.buffer);
    const large = new Uint8Array(1024 * 1024 + 1);
    giveBack(large);
    expect(takeBuffer(1).buffer).not.toBe(large.buffer);
    const many = Array.from({ length: 17 }, () => new Uint8Array(1024 * 1024));
    for (const buffer of many) giveBack(buffer);
    const taken = many.map(() => takeBuffer(1).buffer);
    expect(taken).not.toContain(many[16]?.buffer);
    expect(taken.filter((buffer) => buffer.byteLength > 1)).toHaveLength(16);
  });
});
