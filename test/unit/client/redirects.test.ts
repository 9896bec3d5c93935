import { withRedirects } from '../../../src/client/redirects.ts';
import type { AnswerSink, Transport, WireRequest } from '../../../src/client/transport.ts';

/** Answers the first request by a redirect, and the next ones with 200; keeps what was sent. */
class RedirectingTransport implements Transport {
  readonly sent: WireRequest[] = [];
  readonly #location: string;

  constructor(location: string) {
    this.#location = location;
  }

  readonly send = (
    request: WireRequest,
    sink: AnswerSink,
  ): { connected: true; abort: () => void } => {
    const isFirst = this.sent.push(request) === 1;
    queueMicrotask(() => {
      const headers: Record<string, string> = isFirst ? { location: this.#location } : {};
      sink.onHead({ status: isFirst ? 307 : 200, headers, length: 0 });
      sink.onEnd();
    });
    return { connected: true, abort: () => undefined };
  };

  readonly close = (): void => undefined;
}

function keyAfter(from: string, location: string): Promise<string | undefined> {
  const transport = new RedirectingTransport(location);
  const request = {
    method: 'POST',
    url: from,
    headers: { authorization: 'Bearer secret' },
    body: null,
  };
  return new Promise((resolve, reject) => {
    withRedirects(transport).send(request, {
      onHead: () => undefined,
      onBody: () => undefined,
      onError: reject,
      onEnd: () => {
        resolve(transport.sent[1]?.headers['authorization']);
      },
    });
  });
}

describe('withRedirects()', () => {
  test.each([
    ['https://api.example/v1', 'https://api.example/v2'],
    ['https://api.example:443/v1', 'https://api.example/v2'],
    ['http://api.example:8000/v1', '/v2'],
  ])('keeps the key from %s to %s', async (from, location) => {
    expect(await keyAfter(from, location)).toBe('Bearer secret');
  });

  test.each([
    ['https://api.example/v1', 'http://api.example/v1'],
    ['http://api.example/v1', 'https://api.example/v1'],
    ['https://api.example/v1', 'https://api.example:8443/v1'],
    ['https://api.example/v1', 'https://other.example/v1'],
  ])('drops the key from %s to %s', async (from, location) => {
    expect(await keyAfter(from, location)).toBeUndefined();
  });
});
