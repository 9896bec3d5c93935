import type { EmbeddingsServable, ModelStatus } from '../../../src/graph/servable.ts';
import { servableFinder } from '../../../src/http/servable.ts';
import { thrown } from '../../support/thrown.ts';
import { modelsOf, readyStatus, TinyServable, waitingStatus } from '../../support/tiny-server.ts';

const tiny = new TinyServable();
const other = new TinyServable({ name: 'other' });

/** A model of a type that comes later. */
const ranker = Object.assign(new TinyServable({ name: 'ranker' }), {
  task: 'rerank',
}) as unknown as EmbeddingsServable;

function find(statuses: readonly ModelStatus[], name: string | null): EmbeddingsServable {
  return servableFinder(modelsOf(statuses))('embeddings', name);
}

describe('servableFinder()', () => {
  test('finds by exact name', () => {
    const statuses = [tiny, other].map(readyStatus);
    expect(find(statuses, 'other')).toBe(other);
    for (const name of ['Other', 'other ', '', '__proto__']) {
      expect(thrown(() => find(statuses, name))).toMatchObject({ code: 'model_not_found' });
    }
  });

  test('takes the only one of its task without a name', () => {
    expect(find([tiny, ranker].map(readyStatus), null)).toBe(tiny);
    expect(find([readyStatus(tiny), waitingStatus('slow', 'loading')], null)).toBe(tiny);
  });

  test.each([
    [[], 'none; no model is served'],
    [[readyStatus(ranker)], 'none; served is "ranker"'],
    [[tiny, other].map(readyStatus), '2 models; served are "org/tiny", "other"'],
  ])('can not choose among %#', (statuses, found) => {
    const error = thrown(() => find(statuses, null));
    expect(error).toMatchObject({ code: 'invalid_field', param: 'model' });
    expect(String(error)).toContain(found);
  });

  test('says that the only one is still loading', () => {
    const error = thrown(() => find([waitingStatus('slow', 'loading')], null));
    expect(error).toMatchObject({ code: 'model_loading' });
    expect(String(error)).toContain('"slow" yet: it is still loading');
  });

  test('says why a model failed', () => {
    const failed = waitingStatus('broken', 'failed');
    expect(String(thrown(() => find([failed], 'broken')))).toContain('its worker keeps crashing');
    const silent = { ...failed, reason: null };
    expect(String(thrown(() => find([silent], 'broken')))).toContain('see the log');
  });

  test('names the type of a model for another task', () => {
    const error = thrown(() => find([readyStatus(ranker)], 'ranker'));
    expect(error).toMatchObject({ code: 'wrong_node_type', param: 'model' });
    expect(String(error)).toContain('its node is of the type rerank');
  });

  test('keeps messages short', () => {
    const many = Array.from({ length: 50 }, (_, at) => new TinyServable({ name: `m${at}` }));
    const message = String(thrown(() => find(many.map(readyStatus), 'x'.repeat(1_000_000))));
    expect(message).toContain('"m9" and 40 more');
    expect(message.length).toBeLessThan(500);
  });
});
