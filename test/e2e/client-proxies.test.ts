import { PerformanceClient } from '../../src/client/index.ts';
import { ProxyStub } from '../support/proxy-stub.ts';
import { RecordingStub } from '../support/recording-stub.ts';

const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];

afterEach(() => {
  for (const name of PROXY_NAMES) Reflect.deleteProperty(process.env, name);
});

describe('proxies', () => {
  let stub: RecordingStub;
  let proxy: ProxyStub;

  beforeEach(async () => {
    stub = await RecordingStub.open();
    proxy = await ProxyStub.open();
  });

  afterEach(async () => {
    await stub.close();
    await proxy.close();
  });

  test('http:// goes in absolute form, with the credentials of the proxy’s URL', async () => {
    const client = new PerformanceClient(
      stub.url,
      'key',
      1,
      null,
      proxy.url.replace('//', '//us:pw@'),
    );
    expect((await client.batchPost('/x?y', [1])).data).toHaveLength(1);
    expect(proxy.lines).toEqual([`POST ${stub.url}/x?y`]);
    expect(proxy.authorization).toBe(`Basic ${Buffer.from('us:pw').toString('base64')}`);
    expect(stub.requests[0]?.headers['authorization']).toBe('Bearer key');
    await client.close();
  });

  test.each([false, true])('HTTP/2 goes through CONNECT; answers joined: %s', async (joins) => {
    proxy.joins = joins;
    const h2 = await RecordingStub.open(undefined, 2);
    const client = new PerformanceClient(h2.url, 'key', 2, null, proxy.url);
    expect((await client.batchPost('/x', [1])).data).toHaveLength(1);
    expect(proxy.lines).toEqual([`CONNECT 127.0.0.1:${h2.port}`]);
    await client.close();
    await h2.close();
  });

  test('https:// asks for a tunnel', async () => {
    const client = new PerformanceClient(
      `https://127.0.0.1:${stub.port}`,
      'key',
      1,
      null,
      proxy.url,
    );
    // The stub speaks no TLS, so the tunnel is all that can be had.
    await expect(client.batchPost('/x', [1], { maxRetries: 0 })).rejects.toMatchObject({
      kind: 'connect',
    });
    expect(proxy.lines).toEqual([`CONNECT 127.0.0.1:${stub.port}`]);
    await client.close();
  });

  test('a tunnel that is refused is a connect error', async () => {
    proxy.refuses = true;
    const client = new PerformanceClient(
      `https://127.0.0.1:${stub.port}`,
      'key',
      1,
      null,
      proxy.url,
    );
    await expect(client.batchPost('/x', [1], { maxRetries: 0 })).rejects.toMatchObject({
      kind: 'connect',
      message: expect.stringContaining('proxy refused the tunnel: HTTP/1.1 403') as string,
    });
    await client.close();
  });

  test('the environment is honoured, and NO_PROXY', async () => {
    process.env['HTTP_PROXY'] = proxy.url;
    await new PerformanceClient(stub.url, 'key').batchPost('/x', [1]);
    expect(proxy.lines).toHaveLength(1);
    process.env['NO_PROXY'] = '127.0.0.1';
    await new PerformanceClient(stub.url, 'key').batchPost('/x', [1]);
    expect(proxy.lines).toHaveLength(1);
    expect(stub.requests).toHaveLength(2);
  });
});
