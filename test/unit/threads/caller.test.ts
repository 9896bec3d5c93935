import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { ServeError, StartError } from '../../../src/errors.ts';
import { Caller } from '../../../src/threads/caller.ts';
import type { Handlers } from '../../../src/threads/responder.ts';
import { serve } from '../../../src/threads/responder.ts';

interface Sums {
  readonly sum: (numbers: Float32Array) => number;
  readonly double: (numbers: Float32Array) => Float32Array;
  readonly later: (name: string) => string;
  readonly release: (name: string) => null;
  readonly refuse: (how: 'serve' | 'start' | 'other' | 'text' | 'late') => null;
}

let client: MessagePort;

afterEach(() => {
  client.close();
});

function refusal(how: Parameters<Sums['refuse']>[0]): unknown {
  switch (how) {
    case 'serve':
      return new ServeError('invalid_field', 'Cannot add', {
        param: 'input',
        cause: new Error('x'),
      });
    case 'start':
      return new StartError('config', 'no such file');
    case 'other':
      return new TypeError('a bug');
    case 'text':
      return 'just a text';
    case 'late':
      return new ServeError('inference_failed', 'Cannot run');
  }
}

function handlers(): Handlers<Sums> {
  const waiting = new Map<string, (name: string) => void>();
  return {
    sum: (numbers) => ({ value: numbers.reduce((sum, number) => sum + number, 0) }),
    double: (numbers) => {
      const value = numbers.map((number) => 2 * number);
      return { value, transfer: [value.buffer] };
    },
    later: async (name) => ({
      value: await new Promise<string>((resolve) => waiting.set(name, resolve)),
    }),
    release: (name) => {
      waiting.get(name)?.(`released ${name}`);
      return { value: null };
    },
    refuse: (how) => {
      const error = refusal(how) as Error;
      if (how === 'late') return Promise.reject(error);
      throw error;
    },
  };
}

function connect(): Caller<Sums> {
  const { port1, port2 } = new MessageChannel();
  client = port1;
  serve<Sums>(port2, handlers());
  return new Caller<Sums>(port1);
}

describe('Caller.call()', () => {
  test('gives the value that the method answered', async () => {
    await expect(connect().call('sum', Float32Array.of(1, 2, 3))).resolves.toBe(6);
  });

  test('moves transferred buffers in both directions', async () => {
    const caller = connect();
    const numbers = Float32Array.of(1, 2, 3);
    const doubled = caller.call('double', numbers, [numbers.buffer]);
    expect(numbers.byteLength).toBe(0);
    await expect(doubled).resolves.toEqual(Float32Array.of(2, 4, 6));
  });

  test('keeps calls apart that are answered in another order', async () => {
    const caller = connect();
    const first = caller.call('later', 'first');
    const second = caller.call('later', 'second');
    expect(caller.open).toBe(2);
    await caller.call('release', 'second');
    await expect(second).resolves.toBe('released second');
    expect(caller.open).toBe(1);
    await caller.call('release', 'first');
    await expect(first).resolves.toBe('released first');
    expect(caller.open).toBe(0);
  });

  test('makes a ServeError anew, with code, param and the stack of the other thread', async () => {
    const error = await connect()
      .call('refuse', 'serve')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServeError);
    expect(error).toMatchObject({ code: 'invalid_field', param: 'input', message: 'Cannot add' });
    expect((error as ServeError).stack).toMatch(/refusal[^]*cause: Error: x/);
  });

  test('makes a StartError anew', async () => {
    const error = await connect()
      .call('refuse', 'start')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ fault: 'config', message: 'no such file' });
  });

  test.each([
    ['other', 'a bug'],
    ['text', 'just a text'],
    ['late', 'Cannot run'],
  ] as const)('rejects with the message of a method that threw: %s', async (how, message) => {
    await expect(connect().call('refuse', how)).rejects.toThrow(message);
  });

  test('rejects where the argument cannot be cloned, and leaves no call open', async () => {
    const caller = connect();
    const call = caller.call('later', (() => 'name') as unknown as string);
    await expect(call).rejects.toThrow('could not be cloned');
    expect(caller.open).toBe(0);
  });
});

describe('Caller.fail()', () => {
  test('fails the open calls and all later ones with the first failure', async () => {
    const caller = connect();
    const open = caller.call('later', 'never');
    caller.fail(new Error('the thread ended'));
    caller.fail(new Error('again'));
    await expect(open).rejects.toThrow('the thread ended');
    await expect(caller.call('sum', Float32Array.of(1))).rejects.toThrow('the thread ended');
    expect(caller.open).toBe(0);
  });

  test('an answer that comes afterwards is ignored', async () => {
    const caller = connect();
    const open = caller.call('sum', Float32Array.of(1));
    const answered = once(client, 'message');
    caller.fail(new Error('the thread ended'));
    await expect(open).rejects.toThrow('the thread ended');
    await answered;
    expect(caller.open).toBe(0);
  });
});
