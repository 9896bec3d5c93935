import { resolve } from 'node:path';

interface RequestBytes {
  readonly requestBytes: (texts: string[], target: object) => Buffer;
}
interface Verify {
  readonly verifiedAnswer: (body: Buffer, asked: { texts: number; encoding: string }) => object;
}
interface Urls {
  readonly loopbackUrl: (text: string) => URL;
}

const FOLDER = resolve(import.meta.dirname, '../../../bench/http');
const { requestBytes } = (await import(resolve(FOLDER, 'requests.mjs'))) as RequestBytes;
const { verifiedAnswer } = (await import(resolve(FOLDER, 'verify.mjs'))) as Verify;
const { loopbackUrl } = (await import(resolve(FOLDER, 'url.mjs'))) as Urls;

describe('requestBytes()', () => {
  test('is a whole POST request, its length in bytes', () => {
    const target = {
      url: new URL('http://127.0.0.1:9/v3/embeddings'),
      model: 'm',
      encoding: 'float',
    };
    const [head = '', body = ''] = requestBytes(['\u00e9'], target).toString().split('\r\n\r\n');
    expect(head).toMatch(/^POST \/v3\/embeddings HTTP\/1\.1\r\nHost: 127\.0\.0\.1:9\r\n/);
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toEqual({ model: 'm', input: '\u00e9', encoding_format: 'float' });
  });
});

describe('verifiedAnswer()', () => {
  const row = Float32Array.of(0.6, 0.8);
  const base64 = Buffer.from(row.buffer).toString('base64');

  function answer(...embeddings: unknown[]): Buffer {
    const data = embeddings.map((embedding, index) => ({ index, embedding }));
    return Buffer.from(JSON.stringify({ data, usage: { prompt_tokens: 7 } }));
  }

  test.each([
    ['float', [0.6, 0.8]],
    ['base64', base64],
  ])('reads %s', (encoding, embedding) => {
    const found = verifiedAnswer(answer(embedding), { texts: 1, encoding });
    expect(found).toEqual({ dimensions: 2, promptTokens: 7 });
  });

  test.each([
    ['too few', [[1, 0]], '1 embeddings of 2 texts'],
    [
      'not normalized',
      [
        [1, 0],
        [1, 1],
      ],
      'a vector of length',
    ],
    [
      'not a number',
      [
        [1, 0],
        [null, 'x'],
      ],
      'a vector of length NaN',
    ],
    ['not of one size', [[1, 0], [1]], '1 dimensions'],
    ['another encoding', [[1, 0], base64], 'string where numbers'],
  ])('refuses an answer that is %s', (_, embeddings, message) => {
    const asked = { texts: 2, encoding: 'float' };
    expect(() => verifiedAnswer(answer(...embeddings), asked)).toThrow(message);
  });
});

describe('loopbackUrl()', () => {
  test('adds the usual path', () => {
    expect(loopbackUrl('http://localhost:80').pathname).toBe('/v1/embeddings');
    expect(loopbackUrl('http://127.0.0.1:80/v3/embeddings').pathname).toBe('/v3/embeddings');
  });

  test.each(['http://example.com', 'https://127.0.0.1', 'http://127.evil.example', 'x'])(
    'refuses %s',
    (text) => {
      expect(() => loopbackUrl(text)).toThrow();
    },
  );
});
