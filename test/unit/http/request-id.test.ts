import { requestHead } from '../../support/raw-connection.ts';
import { TinyServer } from '../../support/tiny-server.ts';

describe('the request id', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test.each([
    ['x-request-id', 'mine 1', 'mine 1'],
    ['x-baseten-customer-request-id', 'a, b', 'a, b'],
    ['x-request-id', 'a'.repeat(256), 'a'.repeat(256)],
    ['x-request-id', 'a'.repeat(257), null],
    ['x-request-id', 'h\xe9', null],
    ['x-request-id', '', null],
  ])('answers %s: %s', async (name, value, expected) => {
    const { headers } = await server.send(requestHead('GET', '/v2', [`${name}: ${value}`]));
    if (expected !== null) expect(headers['x-request-id']).toBe(expected);
    else expect(headers['x-request-id']).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
  });
});
