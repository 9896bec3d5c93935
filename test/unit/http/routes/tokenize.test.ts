import { post } from '../../../support/raw-connection.ts';
import { errorOf, TinyServer } from '../../../support/tiny-server.ts';

describe.each(['/v3/tokenize', '/tokenize'])('POST %s', (path) => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await TinyServer.start();
  });
  afterAll(() => server.stop());

  test.each([
    [{ text: 'ab' }, [97, 98]],
    [{ text: '' }, []],
    [{ inputs: 'ab' }, [97, 98]],
    [{ text: ['ab'] }, [[97, 98]]],
    [{ inputs: ['b', '', 'ab'] }, [[98], [], [97, 98]]],
    [{ text: 'abc', max_length: 2, add_special_tokens: false }, [97, 98]],
  ])('answers %j', async (fields, tokens) => {
    const { status, headers, body } = await server.send(post(path, JSON.stringify(fields)));
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toEqual({ tokens });
    expect(headers['server-timing']).toMatch(/^tokenize;dur=\d+\.\d\d, queue;dur=0.00,/);
  });

  test('embeds nothing', async () => {
    await server.send(post(path, '{"text":"x"}'));
    expect(server.servable.calls).toEqual([]);
  });

  test('refuses two names of one field', async () => {
    const refused = await server.send(post(path, '{"text":"a","inputs":"b"}'));
    expect(errorOf(refused)).toMatchObject({ code: 'invalid_field', param: 'inputs' });
  });
});
