import { ERRORS, ServeError, type ErrorCode } from '../../../src/errors.ts';
import { post } from '../../support/raw-connection.ts';
import {
  bodyOfBytes,
  errorOf,
  TINY_DIMENSIONS,
  TinyServable,
  TinyServer,
} from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('an error', () => {
  test('answers a bug without detail and tells the operator all', async () => {
    const bug = new TypeError('secret of /etc/passwd');
    const server = await TinyServer.start({
      servable: new TinyServable({
        embed: () => {
          throw bug;
        },
      }),
    });
    const response = await server.send(post(PATH, bodyOfBytes(80)));
    expect([response.status, errorOf(response)]).toEqual([
      500,
      {
        message: 'Cannot answer the request: internal error',
        type: 'server_error',
        param: null,
        code: 'internal_error',
      },
    ]);
    expect(server.internalErrors).toEqual([bug]);
    await server.stop();
  });

  test.each([NaN, Infinity, -Infinity])('never sends %d', async (value) => {
    const server = await TinyServer.start({
      servable: new TinyServable({
        embed: () => new Float32Array(TINY_DIMENSIONS).fill(value, 2, 3),
      }),
    });
    for (const format of ['float', 'base64']) {
      const body = JSON.stringify({ model: 'org/tiny', input: 'x', encoding_format: format });
      const response = await server.send(post(PATH, body));
      expect([response.status, errorOf(response).code]).toEqual([500, 'inference_failed']);
    }
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  test.each(Object.keys(ERRORS) as ErrorCode[])('answers %s as the table says', async (code) => {
    const server = await TinyServer.start({
      servable: new TinyServable({
        embed: () => {
          throw new ServeError(code, 'Cannot do it', { param: 'input' });
        },
      }),
    });
    const connection = await server.connect();
    await connection.write(post(PATH, bodyOfBytes(80), ['accept: application/msgpack']));
    if (code === 'client_closed') {
      expect(await connection.ended()).toHaveLength(0);
    } else {
      const response = await connection.response();
      expect(response.status).toBe(ERRORS[code].status);
      expect(response.headers['content-type']).toBe('application/json');
      expect(JSON.parse(response.body.toString())).toEqual({
        error: { message: 'Cannot do it', type: ERRORS[code].type, param: 'input', code },
      });
    }
    await server.stop();
  });
});
