import { requestHead } from '../../support/raw-connection.ts';
import { bodyOfBytes, errorOf, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

describe('the media type', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  describe('Content-Type', () => {
    test.each([
      ['application/json'],
      ['Application/JSON; charset=utf-8'],
      ['application/json;charset="UTF8"'],
      ['application/json; x=1; CHARSET = Utf_8'],
      ['application/vnd.api+json'],
      ['text/json'],
      ['text/plain;charset=UTF-8'],
      ['application/x-www-form-urlencoded'],
      [''],
    ])('%j is accepted', async (type) => {
      const body = bodyOfBytes(99);
      const head = [`content-type: ${type}`, `content-length: ${body.length}`];
      expect((await server.send(requestHead('POST', PATH, head) + body)).status).toBe(200);
    });

    test('may be absent', async () => {
      const body = bodyOfBytes(99);
      const head = requestHead('POST', PATH, [`content-length: ${body.length}`]);
      expect((await server.send(head + body)).status).toBe(200);
    });

    test.each([
      ['multipart/form-data; boundary=x'],
      ['application/octet-stream'],
      ['application/xml'],
      ['json'],
      ['application/json; charset=utf-16'],
      ['text/plain; charset=latin1'],
    ])('%j is a 415 that names the header', async (type) => {
      const head = [`content-type: ${type}`, 'content-length: 2'];
      const response = await server.send(`${requestHead('POST', PATH, head)}{}`);
      expect([response.status, errorOf(response).code]).toEqual([415, 'unsupported_media_type']);
      expect(errorOf(response).message).toContain(`Content-Type: ${JSON.stringify(type)}`);
    });
  });
});
