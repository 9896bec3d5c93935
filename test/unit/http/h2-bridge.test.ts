import { once } from 'node:events';
import { constants } from 'node:http2';
import { H2Client } from '../../support/h2-client.ts';
import { post } from '../../support/raw-connection.ts';
import { bodyOfBytes, openGate, TinyServable, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';
const BODY = bodyOfBytes(80);

describe('connections of HTTP/2', () => {
  test('have the settings of the contract', async () => {
    const server = await TinyServer.start();
    const client = await H2Client.open(server.listener.port);
    await once(client.session, 'remoteSettings');
    const { initialWindowSize, maxConcurrentStreams } = client.session.remoteSettings;
    expect(initialWindowSize).toBeGreaterThanOrEqual(2_097_152);
    expect(maxConcurrentStreams).toBeGreaterThanOrEqual(1_024);
    client.close();
    await server.stop();
  });

  test('have the address of the peer', async () => {
    const server = await TinyServer.start();
    const addresses: unknown[] = [];
    server.listener.server.on('request', ({ socket }) => {
      addresses.push([socket.remoteAddress, socket.remotePort]);
    });
    const client = await H2Client.open(server.listener.port);
    await client.get('/v2');
    const { socket } = client.session;
    expect(addresses).toEqual([['127.0.0.1', socket.localPort]]);
    client.close();
    await server.stop();
  });

  test('take no new streams when the server closes, and end with the last', async () => {
    const server = await TinyServer.start();
    const gate = openGate();
    server.servable.until = gate.opened;
    const [busy, idle] = [
      await H2Client.open(server.listener.port),
      await H2Client.open(server.listener.port),
    ];
    await idle.get('/v2');
    const answer = busy.post(BODY);
    await server.arrived(1);
    const goaways = [busy, idle].map(({ session }) => once(session, 'goaway'));
    const idleClosed = once(idle.session, 'close');
    const busyClosed = once(busy.session, 'close');
    server.phase = 'closing';
    const closed = server.listener.stopAccepting();
    server.listener.closeIdle();
    await Promise.all([...goaways, idleClosed]);
    gate.open();
    expect((await answer).status).toBe(200);
    await Promise.all([busyClosed, closed]);
    expect(server.internalErrors).toEqual([]);
  });

  test('are closed when they are idle for too long', async () => {
    const server = await TinyServer.start({ times: { keepAliveMs: 50 } });
    const client = await H2Client.open(server.listener.port);
    const closed = once(client.session, 'close');
    expect((await client.get('/v2')).status).toBe(200);
    await closed;
    await server.stop();
  });

  test('stay while a stream is at work', async () => {
    const server = await TinyServer.start({ times: { keepAliveMs: 20 } });
    const gate = openGate();
    server.servable.until = gate.opened;
    const client = await H2Client.open(server.listener.port);
    const answer = client.post(BODY);
    await server.arrived(1);
    // A second connection that is idle has been closed meanwhile: so the first one's time is over, too.
    const other = await H2Client.open(server.listener.port);
    await once(other.session, 'close');
    gate.open();
    expect((await answer).status).toBe(200);
    client.close();
    await server.stop();
  });

  test('lose a stream whose client takes no byte of its answer', async () => {
    const long = new Float32Array(500_000).fill(0.123456789);
    const servable = new TinyServable({ embed: () => long });
    const server = await TinyServer.start({ servable, app: { stallMs: 50 } });
    const client = await H2Client.open(server.listener.port);
    const stream = client.stream({ ':method': 'POST', ':path': PATH }).end(BODY);
    stream.on('error', () => undefined);
    stream.pause();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    await server.app.idle();
    expect((await client.get('/v2')).status).toBe(200);
    client.close();
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('and of HTTP/1.1 are served by one port at the same time', async () => {
    const server = await TinyServer.start();
    const client = await H2Client.open(server.listener.port);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        index % 2 === 0
          ? (await client.post(BODY)).status
          : (await server.send(post('/v3/embeddings', BODY))).status,
      ),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    client.close();
    await server.stop();
  });
});
