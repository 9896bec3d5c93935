import { MessageChannel } from 'node:worker_threads';
import { decompress } from '@bokuweb/zstd-wasm';
import { zstdHandlers, type ZstdMethods } from '../../../src/http/zstd-worker.ts';
import { WasmZstd } from '../../../src/http/zstd.ts';
import { Caller } from '../../../src/threads/caller.ts';
import { serve } from '../../../src/threads/responder.ts';
import { DIST } from '../../support/open-servable.ts';

const TEXT = Buffer.from('a text of some words '.repeat(100));

// They load the decoder of the tests as well.
const handlers = zstdHandlers();

beforeAll(async () => {
  await handlers.compress(TEXT);
});

test('the thread makes a frame of each piece, in order', async () => {
  const { port1, port2 } = new MessageChannel();
  serve<ZstdMethods>(port2, handlers);
  const caller = new Caller<ZstdMethods>(port1);
  const pieces = [TEXT, Buffer.from('x'), TEXT.subarray(0, 99)];
  const frames = await Promise.all(pieces.map((piece) => caller.call('compress', piece)));
  expect(frames[0]?.length).toBeLessThan(TEXT.length / 10);
  expect(frames.map((frame) => Buffer.from(decompress(frame)))).toEqual(pieces);
  port1.close();
});

describe('WasmZstd', () => {
  test('leaves the bytes as they are', async () => {
    const bytes = Buffer.from(TEXT);
    const frame = await new WasmZstd(new URL('http/zstd-worker.js', DIST)).encode(bytes);
    expect(Buffer.from(decompress(frame))).toEqual(TEXT);
    expect(bytes).toEqual(TEXT);
  });

  test('fails calls and streams while its thread cannot start, and says why', async () => {
    const zstd = new WasmZstd(new URL('http/no-such-file.js', DIST));
    await expect(zstd.encode(TEXT)).rejects.toThrow('The thread ended');
    const stream = zstd.open();
    const failed = new Promise((resolve) => stream.once('error', resolve));
    stream.write(TEXT);
    expect(String(await failed)).toContain('The thread ended');
  });
});
