import { requestHead } from '../../../support/raw-connection.ts';
import { TinyServer } from '../../../support/tiny-server.ts';

test('GET /metrics gives the text that it is given', async () => {
  const server = await TinyServer.start();
  const { status, headers, body } = await server.send(requestHead('GET', '/metrics'));
  await server.stop();
  expect([status, headers['content-type'], body.toString()]).toEqual([
    200,
    'text/plain',
    'tiny 1\n',
  ]);
});
