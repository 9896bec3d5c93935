import { StartError } from '../../../src/errors.ts';
import { listen } from '../../../src/http/listen.ts';
import {
  BACKLOG,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
} from '../../../src/http/timeouts.ts';
import { TinyServer } from '../../support/tiny-server.ts';

describe('listen()', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(() => server.stop());

  test('sets the times of the contract', () => {
    const { server: http } = server.listener;
    expect(http).toMatchObject({
      keepAliveTimeout: 75_000,
      headersTimeout: 60_000,
      requestTimeout: 300_000,
      timeout: 0,
    });
    expect([KEEP_ALIVE_TIMEOUT_MS, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS]).toEqual([
      75_000, 60_000, 300_000,
    ]);
    expect(BACKLOG).toBeGreaterThanOrEqual(1024);
  });

  test('gives a URL for people', async () => {
    expect(server.listener.url).toBe(`http://localhost:${server.listener.port}`);
    for (const [host, shown] of [
      ['0.0.0.0', 'localhost'],
      ['::1', 'localhost'],
      ['127.0.0.2', '127.0.0.2'],
    ] as const) {
      const listener = await listen(server.app, { host, port: 0 }).catch(() => null);
      // Machines without IPv6 can't bind the second.
      if (listener === null) continue;
      expect(listener.url).toBe(`http://${shown}:${listener.port}`);
      await listener.stopAccepting();
    }
  });

  test.each([
    ['127.0.0.1', () => server.listener.port, 'another program uses the port'],
    ['no.such.host.invalid', () => 0, '--rest_bind_address'],
    ['192.0.2.1', () => 0, '--rest_bind_address'],
  ])('on %s refuses in one line what cannot be bound', async (host, port, reason) => {
    const failed = listen(server.app, { host, port: port() });
    await expect(failed).rejects.toBeInstanceOf(StartError);
    await expect(failed).rejects.toMatchObject({ fault: 'unavailable' });
    await expect(failed).rejects.toThrow(`Cannot listen on ${host}:${port()}: `);
    await expect(failed).rejects.toThrow(reason);
    await expect(failed).rejects.not.toThrow('\n');
  });

  test('takes 1,100 connections at once', async () => {
    const connections = await Promise.all(Array.from({ length: 1100 }, () => server.connect()));
    expect(connections).toHaveLength(1100);
    for (const connection of connections) connection.close();
  });
});
