import { post, requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, openGate, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('the app', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('tells who listens of each request', async () => {
    const before = server.events.length;
    await server.send(post('/v3/embeddings/', bodyOfBytes(80), ['x-request-id: abc']));
    await server.over(before + 1);
    const event = server.events.at(-1);
    expect(event).toMatchObject({
      request: { id: 'abc' },
      method: 'POST',
      route: PATH,
      isInference: true,
      model: 'org/tiny',
      status: 200,
      code: null,
    });
    expect(event?.endMs).toBeGreaterThan(event?.startMs ?? NaN);
    await server.send(requestHead('GET', '/secret'));
    await server.over(before + 2);
    expect(server.events.at(-1)).toMatchObject({
      route: null,
      model: null,
      status: 404,
      code: 'not_found',
    });
  });
});

describe('a server', () => {
  test('is ready when all models are, and not without one', async () => {
    const full = await TinyServer.start();
    const empty = await TinyServer.start({ statuses: [] });
    const get = requestHead('GET', '/health');
    expect((await full.send(get)).status).toBe(200);
    expect((await empty.send(get)).status).toBe(503);
    await Promise.all([full.stop(), empty.stop()]);
  });

  test('that drains says so, and still serves', async () => {
    const server = await TinyServer.start();
    server.phase = 'draining';
    const health = await server.send(requestHead('GET', '/v2/health/ready'));
    expect([health.status, errorOf(health).code]).toEqual([503, 'shutting_down']);
    expect(health.headers['retry-after']).toBe('1');
    expect((await server.send(requestHead('GET', '/v2/health/live'))).status).toBe(200);
    expect((await server.send(post(PATH, bodyOfBytes(80)))).status).toBe(200);
    await server.stop();
  });

  test('that closes ends what it has begun and refuses what is new', async () => {
    const server = await TinyServer.start();
    const gate = openGate();
    server.servable.until = gate.opened;
    const [idle, busy, spare] = [
      await server.connect(),
      await server.connect(),
      await server.connect(),
    ];
    await idle.write(requestHead('GET', '/v2'));
    await idle.response();
    await busy.write(post(PATH, bodyOfBytes(80)));
    await server.arrived(1);
    const other = await server.connect();
    await other.write(requestHead('GET', '/v2'));
    await other.response();
    server.phase = 'closing';
    await other.write(post(PATH, bodyOfBytes(80)));
    const refused = await other.response();
    expect([refused.status, errorOf(refused).code]).toEqual([503, 'shutting_down']);
    expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });
    await other.ended();
    const closed = server.listener.stopAccepting();
    server.listener.closeIdle();
    await Promise.all([idle.ended(), spare.ended()]);
    const whenIdle = server.app.idle();
    gate.open();
    const answer = await busy.response();
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    await Promise.all([busy.ended(), whenIdle]);
    await closed;
    await server.app.idle();
    await server.stop();
  });

  test('cuts off what is left: 503, and the work is aborted', async () => {
    const server = await TinyServer.start();
    const gate = openGate();
    server.servable.until = gate.opened;
    const [working, sending] = [await server.connect(), await server.connect()];
    await working.write(post(PATH, bodyOfBytes(80)));
    await sending.write(requestHead('POST', PATH, ['content-length: 50']));
    await server.arrived(2);
    server.phase = 'closing';
    server.app.cutOff();
    for (const connection of [working, sending]) {
      const response = await connection.response();
      expect([response.status, errorOf(response).code]).toEqual([503, 'shutting_down']);
      expect(response.headers['connection']).toBe('close');
      await connection.ended();
    }
    const { signal } = server.servable.calls[0]?.options.scope ?? {};
    expect(signal?.reason).toMatchObject({ code: 'shutting_down' });
    gate.open();
    await server.app.idle();
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('aborts the work for a client that hangs up', async () => {
    const server = await TinyServer.start();
    const gate = openGate();
    server.servable.until = gate.opened;
    const connection = await server.connect();
    await connection.write(post(PATH, bodyOfBytes(80)));
    while (server.servable.calls.length === 0) await server.arrived(1);
    const { signal } = server.servable.calls[0]?.options.scope ?? {};
    connection.close();
    await server.over(1);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ code: 'client_closed' });
    gate.open();
    expect(server.events).toMatchObject([{ status: 499, code: 'client_closed' }]);
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });
});
