import { AnswerParser } from '../../../src/client/http1/answer-parser.ts';
import { MAX_HEAD_BYTES } from '../../../src/client/http1/response-head.ts';

interface Parsed {
  status: number;
  headers: Record<string, string>;
  body: string;
  ended: boolean;
  rest: number;
  keepAlive: boolean;
}

/** Parses pieces of an answer; `close` says that the connection ends after them. */
function parse(pieces: readonly Buffer[], method = 'POST', close = false): Parsed {
  const parsed = { status: 0, headers: {}, body: '', ended: false, rest: 0, keepAlive: false };
  const parser = new AnswerParser(method, {
    onHead: ({ status, headers, keepAlive }) => {
      Object.assign(parsed, { status, headers, keepAlive });
    },
    onBody: (chunk) => {
      parsed.body += Buffer.from(chunk).toString('latin1');
    },
    onEnd: (rest) => {
      Object.assign(parsed, { ended: true, rest });
    },
  });
  for (const piece of pieces) if (!parsed.ended) parser.push(piece);
  if (close && !parsed.ended) parser.close();
  return parsed;
}

const WHOLE = {
  length: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello',
  chunked:
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nhel\r\n02 \r\nlo\r\n0\r\nX-T: 1\r\n\r\n',
  interim:
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  none: 'HTTP/1.1 204 No Content\r\n\r\n',
} as const;

describe('AnswerParser', () => {
  test.each(Object.entries(WHOLE))('%s, cut at every byte, and into single bytes', (name, text) => {
    const bytes = Buffer.from(text);
    const body = name === 'none' ? '' : 'hello';
    for (let at = 0; at <= bytes.length; at++) {
      const parsed = parse(
        [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length),
      );
      expect(parsed).toMatchObject({ body, ended: true, rest: 0, keepAlive: true });
    }
    expect(parse(Array.from(bytes, (byte) => Buffer.of(byte)))).toMatchObject({
      body,
      ended: true,
    });
  });

  test('gives names in lower case, values trimmed, the last of a repeated one', () => {
    const text = 'HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:\t2 \r\nContent-Length: 0\r\n\r\n';
    expect(parse([Buffer.from(text)]).headers).toEqual({ 'x-a': '2', 'content-length': '0' });
  });

  test('a body without a length ends with the connection', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello');
    expect(parse([bytes])).toMatchObject({ body: 'hello', ended: false });
    expect(parse([bytes], 'GET', true)).toMatchObject({
      body: 'hello',
      ended: true,
      keepAlive: false,
    });
  });

  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 9', 'HEAD'],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 9', 'GET'],
    ['HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked', 'GET'],
  ])('%j to %s has no body', (head, method) => {
    expect(parse([Buffer.from(`${head}\r\n\r\n`)], method)).toMatchObject({
      ended: true,
      body: '',
    });
  });

  test.each([
    ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n', true],
    ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', true],
  ])('%j may be used again: %s', (text, keepAlive) => {
    expect(parse([Buffer.from(text)])).toMatchObject({ ended: true, keepAlive });
  });

  test('tells of bytes after the answer', () => {
    expect(parse([Buffer.from(`${WHOLE.length}xyz`)])).toMatchObject({ body: 'hello', rest: 3 });
    expect(parse([Buffer.from(`${WHOLE.chunked}xyz`)])).toMatchObject({ body: 'hello', rest: 3 });
  });

  test('a head may be 16 KiB and no longer', () => {
    const start = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ';
    const fits = start + 'a'.repeat(MAX_HEAD_BYTES - start.length);
    expect(parse([Buffer.from(`${fits}\r\n\r\n`)]).ended).toBe(true);
    expect(() => parse([Buffer.from(`${fits}a\r\n\r\n`)])).toThrow('head too large');
    expect(() => parse([Buffer.from('H'.repeat(MAX_HEAD_BYTES + 5))])).toThrow('head too large');
  });

  test.each([
    ['both lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n'],
    ['a coding before chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['a bare LF after the status', 'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n'],
    ['a bare LF between headers', 'HTTP/1.1 200 OK\r\nA: b\nContent-Length: 0\r\n\r\n'],
    ['LF alone', 'HTTP/1.1 200 OK\n\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nA\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nA : b\r\n\r\n'],
    ['a NUL in a value', 'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n'],
    ['another protocol', 'HTTP/2 200 OK\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'],
    ['a negative chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n'],
    ['an empty chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n'],
    ['a huge chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1234567890abc\r\n'],
    [
      'a chunk size with a bare LF',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n',
    ],
    [
      'a chunk that is too long',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n',
    ],
    [
      'an endless chunk line',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(2000)}`,
    ],
  ])('refuses %s', (_, text) => {
    expect(() => parse([Buffer.from(text, 'latin1')])).toThrow();
    expect(() =>
      parse(Array.from(Buffer.from(text, 'latin1'), (byte) => Buffer.of(byte))),
    ).toThrow();
  });
});
