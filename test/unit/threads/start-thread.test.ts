import { startThread } from '../../../src/threads/start-thread.ts';

interface Echo {
  readonly echo: (text: string) => string;
  readonly exit: (code: number) => null;
  readonly crash: (message: string) => null;
}

/** A thread in plain JavaScript that speaks the protocol, so that no build is needed. */
const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', ({ id, method, args }) => {
      if (method === 'exit') process.exit(args);
      if (method === 'crash') throw new Error(args);
      parentPort.postMessage({ id, value: workerData + args });
    });
  `)}`,
);

describe('startThread()', () => {
  test('calls the thread, with its data, and ends it', async () => {
    const thread = startThread<Echo>(MODULE, 'data ');
    await expect(thread.caller.call('echo', 'text')).resolves.toBe('data text');
    await thread.terminate();
    await expect(thread.ended).resolves.toMatchObject({ exitCode: 1 });
  });

  test('fails the open calls and later ones when the thread exits', async () => {
    const thread = startThread<Echo>(MODULE);
    const calls = [thread.caller.call('exit', 7), thread.caller.call('echo', 'lost')];
    const outcomes = await Promise.allSettled(calls);
    const reason = { name: 'ThreadEndedError', exitCode: 7 };
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await expect(thread.caller.call('echo', 'late')).rejects.toMatchObject(reason);
  });

  test('gives the uncaught error as the cause when the thread crashes', async () => {
    const thread = startThread<Echo>(MODULE);
    await expect(thread.caller.call('crash', 'out of luck')).rejects.toMatchObject({
      message: 'The thread ended with exit code 1',
      cause: { message: 'out of luck' },
    });
    await expect(thread.ended).resolves.toMatchObject({ exitCode: 1 });
  });

  test('fails the calls where the module cannot be loaded', async () => {
    const thread = startThread<Echo>(new URL('file:///no/such/module.js'));
    await expect(thread.caller.call('echo', 'text')).rejects.toMatchObject({
      name: 'ThreadEndedError',
    });
  });
});
