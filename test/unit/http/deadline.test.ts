import { deadlineOf } from '../../../src/http/deadline.ts';
import { post, requestHead, type RawConnection } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, openGate, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';
const NOW = { monotonicMs: 1_000, epochMs: 1_700_000_000_000 };

describe('deadlineOf()', () => {
  test.each<[Record<string, string>, number]>([
    [{}, Infinity],
    [{ 'request-timeout-ms': '250' }, 1_250],
    [{ 'request-timeout-ms': '007' }, 1_007],
    [{ 'request-deadline-ms': '1700000000250' }, 1_250],
    [{ 'request-deadline-ms': '1699999999000' }, 0],
    // The relative one counts: it has no clock to differ.
    [{ 'request-timeout-ms': '250', 'request-deadline-ms': '1' }, 1_250],
    [{ 'request-timeout-ms': '0', 'request-deadline-ms': '1700000000250' }, 1_250],
    ...['0', '-5', '1.5', '1e3', '+5', ' 5', '', 'abc', '5, 6', '0x10', '00', 'Infinity'].map(
      (value): [Record<string, string>, number] => [
        { 'request-timeout-ms': value, 'request-deadline-ms': value },
        Infinity,
      ],
    ),
  ])('of %j is %d', (headers, expected) => {
    expect(deadlineOf(headers, NOW)).toBe(expected);
  });
});

describe('a deadline', () => {
  let server: TinyServer;
  beforeEach(async () => {
    server = await TinyServer.start();
  });
  afterEach(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  function expectExceeded(response: Awaited<ReturnType<RawConnection['response']>>): void {
    expect([response.status, errorOf(response).code]).toEqual([504, 'deadline_exceeded']);
  }

  test('that is over on arrival is a 504 without work, after the checks of headers', async () => {
    const over = ['request-deadline-ms: 1'];
    expectExceeded(await server.send(post(PATH, bodyOfBytes(80), over)));
    expect(server.servable.calls).toHaveLength(0);
    expect((await server.send(post('/nope', '{}', over))).status).toBe(404);
    expect((await server.send(post(PATH, '{}', ['content-encoding: x', ...over]))).status).toBe(
      415,
    );
    // The body isn't waited for.
    const connection = await server.connect();
    await connection.write(requestHead('POST', PATH, ['content-length: 100', ...over]));
    expectExceeded(await connection.response());
  });

  test('that passes during the work is a 504, and aborts the work', async () => {
    const gate = openGate();
    server.servable.until = gate.opened;
    const connection = await server.connect();
    await connection.write(post(PATH, bodyOfBytes(80), ['request-timeout-ms: 30']));
    expectExceeded(await connection.response());
    const { scope } = server.servable.calls[0]?.options ?? {};
    expect(scope?.signal.reason).toMatchObject({ code: 'deadline_exceeded' });
    expect(scope?.deadlineMs).toBeLessThanOrEqual(performance.now());
    gate.open();
    // The connection lives on.
    server.servable.until = Promise.resolve();
    await connection.write(post(PATH, bodyOfBytes(80)));
    expect((await connection.response()).status).toBe(200);
  });

  test('that passes during the upload is a 504, and the work never starts', async () => {
    const connection = await server.connect();
    const body = bodyOfBytes(100);
    const head = ['request-timeout-ms: 30', `content-length: ${body.length}`];
    await connection.write(requestHead('POST', PATH, head) + body.slice(0, 50));
    expectExceeded(await connection.response());
    await connection.write(body.slice(50));
    await server.app.idle();
    expect(server.servable.calls).toHaveLength(0);
  });

  test.each(['60000', '99999999999999', 'abc', '0'])('of %s ms lets work be done', async (ms) => {
    const response = await server.send(post(PATH, bodyOfBytes(80), [`request-timeout-ms: ${ms}`]));
    expect(response.status).toBe(200);
  });
});
