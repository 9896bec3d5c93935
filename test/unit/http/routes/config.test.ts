import { requestHead } from '../../../support/raw-connection.ts';
import {
  readyStatus,
  TinyServable,
  TinyServer,
  waitingStatus,
} from '../../../support/tiny-server.ts';

describe('GET /v1/config', () => {
  test('gives the status of every model as OVMS does, whatever it is called', async () => {
    const servable = new TinyServable();
    const statuses = [
      readyStatus(servable),
      waitingStatus('__proto__', 'loading'),
      waitingStatus('org/broken', 'failed'),
    ];
    const server = await TinyServer.start({ servable, statuses });
    const { status, body } = await server.send(requestHead('GET', '/v1/config'));
    await server.stop();
    expect(status).toBe(200);
    function entry(state: string, code: string, message: string): object {
      const error = { error_code: code, error_message: message };
      return { model_version_status: [{ version: '1', state, status: error }] };
    }
    expect(Object.entries(JSON.parse(body.toString()) as object)).toEqual([
      ['org/tiny', entry('AVAILABLE', 'OK', 'OK')],
      ['__proto__', entry('LOADING', 'OK', 'OK')],
      ['org/broken', entry('LOADING', 'UNKNOWN', 'its worker keeps crashing')],
    ]);
  });
});
