import { resolve } from 'node:path';

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly keepAlive: boolean;
  readonly body: Buffer;
}
interface Reader {
  collect: boolean;
  readonly feed: (bytes: Buffer) => Answer | null;
}

const MODULE: string = resolve(import.meta.dirname, '../../../bench/http/response-reader.mjs');
const bench = (await import(MODULE)) as { readonly ResponseReader: new () => Reader };

const FIXED = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n';

function collecting(): Reader {
  const reader = new bench.ResponseReader();
  reader.collect = true;
  return reader;
}

function feedInPieces(reader: Reader, text: string, size: number): Answer | null {
  const bytes = Buffer.from(text);
  let answer: Answer | null = null;
  for (let from = 0; from < bytes.length; from += size) {
    expect(answer).toBeNull();
    answer = reader.feed(bytes.subarray(from, from + size));
  }
  return answer;
}

describe('ResponseReader', () => {
  test.each([FIXED, CHUNKED])('finds the end however the bytes are cut: %j', (text) => {
    const reader = collecting();
    for (let size = 1; size <= text.length; size++) {
      const answer = feedInPieces(reader, text, size);
      expect(answer).toMatchObject({ status: 200, bytes: text.length, keepAlive: true });
      expect(answer?.body.toString()).toBe('hello world');
    }
  });

  test('leaves bodies away unless asked, but keeps those of failures', () => {
    const reader = new bench.ResponseReader();
    expect(reader.feed(Buffer.from(FIXED))?.body).toHaveLength(0);
    expect(reader.feed(Buffer.from(FIXED.replace('200', '429')))?.body).toHaveLength(11);
  });

  test('passes over interim answers and takes an empty body', () => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\ncontent-length: 0\r\n\r\n';
    expect(feedInPieces(collecting(), text, 7)).toMatchObject({ status: 204, bytes: text.length });
  });

  test('says when the connection ends with the answer', () => {
    const text = FIXED.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(collecting().feed(Buffer.from(text))?.keepAlive).toBe(false);
  });

  test.each([
    [`${FIXED}!`, '1 bytes came after the end'],
    ['HTTP/1.1 200 OK\r\n\r\n', 'neither Content-Length nor chunks'],
    ['SSH-2.0-server\r\n\r\n', 'Not an HTTP/1.1 answer'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'Not a chunk size'],
    ['x'.repeat(70_000), 'a line without end'],
  ])('refuses what it can not read: %#', (text, message) => {
    expect(() => collecting().feed(Buffer.from(text))).toThrow(message);
  });
});
