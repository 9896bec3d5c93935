import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { openMemoryConnection } from '../../../src/http/memory-connection.ts';

const PEER = { remoteAddress: '192.0.2.7', remotePort: 4711, remoteFamily: 'IPv4' };

describe('openMemoryConnection()', () => {
  test('carries both ways, to the end', async () => {
    const { client, server } = openMemoryConnection(PEER);
    server.end('down');
    client.end('up');
    expect(await Promise.all([text(client), text(server)])).toEqual(['down', 'up']);
  });

  test('says who is connected', () => {
    expect(openMemoryConnection(PEER).server).toMatchObject(PEER);
  });

  test.each(['client', 'server'] as const)('is closed as a whole by its %s', async (side) => {
    const connection = openMemoryConnection(PEER);
    const other = side === 'client' ? connection.server : connection.client;
    const closed = once(other, 'close');
    connection[side].destroy();
    await closed;
    expect(other.destroyed).toBe(true);
  });

  test('gives what was written before its end, also to a slow reader', async () => {
    const { client, server } = openMemoryConnection(PEER);
    const sent = 'x'.repeat(1_000_000);
    server.write(sent);
    server.end();
    client.end();
    let got = 0;
    for await (const piece of client) got += (piece as Buffer).length;
    expect(got).toBe(sent.length);
  });
});
