import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { ServeError } from '../../../src/errors.ts';
import { ByteBudget, type Hold } from '../../../src/http/byte-budget.ts';
import {
  bodyOfBytes,
  errorOf,
  openGate,
  TinyServable,
  TinyServer,
} from '../../support/tiny-server.ts';
import { chunkedPost, post, requestHead } from '../../support/raw-connection.ts';
import { thrown } from '../../support/thrown.ts';

const PATH = '/v3/embeddings';

describe('ByteBudget', () => {
  test('gives up to its limit and not one byte beyond', () => {
    const budget = new ByteBudget(100, 'the bodies');
    const [one, other] = [budget.hold(), budget.hold()];
    one.take(60);
    other.take(40);
    expect(
      thrown(() => {
        budget.hold().take(1);
      }),
    ).toMatchObject({
      code: 'overloaded',
      message: expect.stringMatching(/^Cannot hold 1 bytes .* take 100, .* 100 /) as string,
    });
    one.give();
    budget.hold().take(60);
    expect(budget.usedBytes).toBe(100);
  });

  test('gives a lone request what it asks for', () => {
    const budget = new ByteBudget(100, 'the bodies');
    const big = budget.hold();
    big.take(90);
    big.take(500);
    expect(budget.usedBytes).toBe(500);
    expect(
      thrown(() => {
        budget.hold().take(1);
      }),
    ).toBeInstanceOf(ServeError);
    big.give();
    expect(budget.usedBytes).toBe(0);
  });

  test('counts what is held, whatever is taken, refused and given back', () => {
    const steps = fc.array(
      fc.record({
        hold: fc.nat(5),
        bytes: fc.option(fc.nat(300), { nil: null }),
      }),
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 500 }), (all, limit) => {
        const budget = new ByteBudget(limit, 'the bodies');
        const holds: Hold[] = Array.from({ length: 6 }, () => budget.hold());
        const held = holds.map(() => 0);
        for (const { hold, bytes } of all) {
          const one = holds[hold];
          const others = held.reduce((sum, value, at) => (at === hold ? sum : sum + value), 0);
          if (bytes === null) {
            one?.give();
            held[hold] = 0;
          } else {
            const fits = bytes <= (held[hold] ?? 0) || others === 0 || others + bytes <= limit;
            const error = thrown(() => one?.take(bytes));
            expect(error === null).toBe(fits);
            if (fits) held[hold] = Math.max(bytes, held[hold] ?? 0);
          }
          expect(budget.usedBytes).toBe(held.reduce((sum, value) => sum + value, 0));
        }
        for (const one of holds) {
          one.give();
          one.give();
        }
        expect(budget.usedBytes).toBe(0);
      }),
    );
  });
});

describe('the budgets of a server', () => {
  function budgets(bodies: number, answers: number) {
    return {
      bodies: new ByteBudget(bodies, 'the bodies'),
      answers: new ByteBudget(answers, 'the unwritten answers'),
    };
  }

  test.each([
    ['announced', post],
    ['in chunks', chunkedPost],
  ])('refuse a body %s beyond what others hold, and take it later', async (_name, send) => {
    const held = budgets(100_000, 100_000);
    const server = await TinyServer.start({ app: { budgets: held } });
    const uploading = await server.connect();
    await uploading.write(requestHead('POST', PATH, ['content-length: 60000']));
    await server.arrived(1);
    expect(held.bodies.usedBytes).toBe(60_000);
    const response = await server.send(send(PATH, bodyOfBytes(50_000)));
    expect([response.status, errorOf(response).code]).toEqual([429, 'overloaded']);
    expect(response.headers['retry-after']).toBe('1');
    // What fits is served beside it.
    expect((await server.send(send(PATH, bodyOfBytes(20_000)))).status).toBe(200);
    uploading.close();
    while (held.bodies.usedBytes > 0) await setImmediate();
    expect((await server.send(send(PATH, bodyOfBytes(50_000)))).status).toBe(200);
    await server.stop();
  });

  test('hold a body until its route is done with it', async () => {
    const held = budgets(100_000, 100_000);
    const server = await TinyServer.start({ app: { budgets: held } });
    const gate = openGate();
    server.servable.until = gate.opened;
    const working = server.send(post(PATH, bodyOfBytes(70_000)));
    while (server.servable.calls.length === 0) await server.arrived(1);
    expect(held.bodies.usedBytes).toBe(70_000);
    gate.open();
    expect((await working).status).toBe(200);
    expect(held.bodies.usedBytes).toBe(0);
    await server.stop();
  });

  test('hold an answer until it is written or its client is gone', async () => {
    const numbers = 1_000_000;
    const long = new Float32Array(numbers).fill(0.123456789);
    const held = budgets(100_000, 4 * numbers + 1_000);
    const servable = new TinyServable({ embed: () => long });
    const server = await TinyServer.start({ servable, app: { budgets: held } });
    const slow = await server.connect();
    slow.socket.pause();
    await slow.write(post(PATH, bodyOfBytes(80)));
    while (held.answers.usedBytes === 0) await server.arrived(1);
    expect(held.answers.usedBytes).toBeGreaterThanOrEqual(4 * numbers);
    const response = await server.send(post(PATH, bodyOfBytes(80)));
    expect([response.status, errorOf(response).code]).toEqual([429, 'overloaded']);
    slow.close();
    await server.app.idle();
    expect(held.answers.usedBytes).toBe(0);
    const patient = await server.send(post(PATH, bodyOfBytes(80)));
    expect(patient.status).toBe(200);
    await server.app.idle();
    expect(held.answers.usedBytes).toBe(0);
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test('lose nothing, however requests end', async () => {
    const held = budgets(300_000, 20_000);
    const server = await TinyServer.start({ app: { budgets: held } });
    const bodies = fc.constantFrom<Buffer>(
      post(PATH, bodyOfBytes(100)),
      post(PATH, bodyOfBytes(150_000)),
      chunkedPost(PATH, bodyOfBytes(150_000)),
      post(PATH, '{'),
      post(PATH, bodyOfBytes(100), ['content-encoding: gzip']),
      post(PATH, JSON.stringify({ model: 'org/tiny', input: Array(900).fill('x') })),
      post(PATH, JSON.stringify({ model: 'nope', input: 'x' })),
      post(PATH, bodyOfBytes(100), ['request-deadline-ms: 1']),
      chunkedPost(PATH, bodyOfBytes(2_000_001)),
    );
    const request = fc.record({ bytes: bodies, cut: fc.double({ min: 0, max: 1.5, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        await Promise.all(
          requests.map(async ({ bytes, cut }) => {
            const connection = await server.connect();
            await connection.write(bytes.subarray(0, Math.ceil(bytes.length * cut)));
            if (cut >= 1) await connection.response();
            connection.close();
          }),
        );
        await server.app.idle();
        // A route may end after its client is gone.
        while (held.bodies.usedBytes > 0) await setImmediate();
        expect(held.answers.usedBytes).toBe(0);
      }),
      { numRuns: 100, plugins: [fc.interruptAfterTimeLimit(4_000)] },
    );
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });
});
