import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Call, Reply } from '../../../src/threads/port.ts';
import { serve } from '../../../src/threads/responder.ts';

interface Methods {
  readonly echo: (text: string) => string;
  readonly unclonable: (how: 'now' | 'late') => unknown;
}

let client: MessagePort;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  client = port1;
  serve<Methods>(port2, {
    echo: (text) => ({ value: text }),
    unclonable: (how) => {
      const answer = { value: () => how };
      return how === 'now' ? answer : Promise.resolve(answer);
    },
  });
});

afterEach(() => {
  client.close();
});

async function ask(call: Call): Promise<Reply> {
  client.postMessage(call);
  const [reply] = (await once(client, 'message')) as [Reply];
  return reply;
}

describe('serve()', () => {
  test('answers a call under its number', async () => {
    await expect(ask({ id: 7, method: 'echo', args: 'text' })).resolves.toEqual({
      id: 7,
      value: 'text',
    });
  });

  test.each(['now', 'late'] as const)(
    'answers with a fault where the result cannot be cloned: %s',
    async (how) => {
      await expect(ask({ id: 8, method: 'unclonable', args: how })).resolves.toMatchObject({
        id: 8,
        fault: { kind: 'other', message: expect.stringContaining('could not be cloned') as string },
      });
    },
  );

  test.each(['nothing', 'constructor', '__proto__'])(
    'answers with a fault where there is no method of the name: %s',
    async (method) => {
      await expect(ask({ id: 9, method, args: null })).resolves.toMatchObject({
        id: 9,
        fault: { kind: 'other', message: `This thread has no method "${method}"` },
      });
    },
  );
});
