import { EventEmitter, once } from 'node:events';
import { Registry } from '../../../src/graph/registry.ts';
import type { EmbeddingsServable } from '../../../src/graph/servable.ts';

function servable(name: string, closed: string[]): EmbeddingsServable {
  return {
    task: 'embeddings',
    name,
    limits: { maxBatchSize: 1, contextLength: 1 },
    facts: { fields: { dimensions: 1 }, output: { name: 'embedding', shape: [1] } },
    dimensions: 1,
    hasTokenRows: true,
    tokenize: () => Promise.resolve([]),
    embed: () => Promise.reject(new Error('not in this test')),
    close: () => {
      closed.push(name);
      return Promise.resolve();
    },
  };
}

describe('Registry', () => {
  test('lists models from the first moment, and makes them ready when they are open', async () => {
    const gate = new EventEmitter();
    const opening = once(gate, 'open').then(() => servable('constructor', []));
    const registry = new Registry([{ name: 'constructor', open: () => opening }], 7);
    expect(registry.find('constructor')).toMatchObject({
      state: 'loading',
      servable: null,
      created: 7,
    });
    gate.emit('open');
    await registry.opened();
    expect(registry.list().map(({ state }) => state)).toEqual(['ready']);
    expect(registry.find('toString')).toBeUndefined();
  });

  test('marks the model that cannot be opened, and says why to the operator alone', async () => {
    const closed: string[] = [];
    const registry = new Registry(
      [
        { name: 'good', open: () => Promise.resolve(servable('good', closed)) },
        { name: 'bad', open: () => Promise.reject(new Error('/secret/path')) },
      ],
      0,
    );
    await expect(registry.opened()).rejects.toThrow('/secret/path');
    expect(registry.find('bad')).toMatchObject({
      state: 'failed',
      reason: 'it could not be loaded',
    });
    await registry.close();
    expect(closed).toEqual(['good']);
  });
});
