import { parseProxy, ProxyChoice } from '../../../src/client/sockets/proxy.ts';

/** Host of the proxy for a URL under an environment, or null. */
function proxyFor(
  url: string,
  env: Record<string, string>,
  explicit: string | null = null,
): string | null {
  return new ProxyChoice(explicit, (name) => env[name]).proxyFor(new URL(url))?.host ?? null;
}

describe('ProxyChoice', () => {
  test.each<[string, Record<string, string>, string | null]>([
    ['http://a', {}, null],
    ['http://a', { HTTP_PROXY: 'http://p' }, 'p'],
    ['http://a', { http_proxy: 'http://lower', HTTP_PROXY: 'http://upper' }, 'lower'],
    ['https://a', { HTTP_PROXY: 'http://p' }, null],
    ['https://a', { HTTPS_PROXY: 'http://p' }, 'p'],
    ['https://a', { all_proxy: 'http://p' }, 'p'],
    ['http://a', { HTTP_PROXY: 'p:3128' }, 'p'],
    ['http://a', { HTTP_PROXY: '' }, null],
    ['http://a', { HTTP_PROXY: 'socks5://p' }, null],
  ])('%s with %j goes through %s', (url, env, host) => {
    expect(proxyFor(url, env)).toBe(host);
  });

  test.each<[string, string, boolean]>([
    ['http://a.example.com', 'example.com', true],
    ['http://a.example.com', '.example.com', true],
    ['http://a.example.com', '*.example.com', true],
    ['http://example.com', '.example.com', true],
    ['http://badexample.com', 'example.com', false],
    ['http://a', 'b, A ', true],
    ['http://a:8080', 'a:8080', true],
    ['http://a:8080', 'a:80', false],
    ['http://a', '*', true],
    ['http://10.1.2.3', '10.0.0.0/8', true],
    ['http://11.1.2.3', '10.0.0.0/8', false],
    ['http://127.0.0.1:5', '127.0.0.1', true],
    ['http://[::1]:5', '::1', true],
    ['http://a', '', false],
  ])('%s is left out of the proxy by NO_PROXY=%j: %s', (url, list, direct) => {
    const env = { HTTP_PROXY: 'http://p', NO_PROXY: list };
    expect(proxyFor(url, env)).toBe(direct ? null : 'p');
  });

  test('the explicit proxy wins for every scheme and host', () => {
    const env = { HTTPS_PROXY: 'http://p', NO_PROXY: '*' };
    expect(proxyFor('https://a', env, 'http://own')).toBe('own');
  });
});

describe('parseProxy()', () => {
  test('reads credentials, ports and TLS', () => {
    expect(parseProxy('http://us%40er:pa%3Ass@p:3128')).toEqual({
      host: 'p',
      port: 3128,
      secure: false,
      authorization: `Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`,
    });
    expect(parseProxy('https://p')).toMatchObject({ port: 443, secure: true, authorization: null });
  });
});
