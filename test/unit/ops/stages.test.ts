import { CHANNELS } from '../../../src/ops/channels.ts';
import { StageLog } from '../../../src/ops/stages.ts';

const SPAN = { startMs: 1, endMs: 2 };

describe('a stage log', () => {
  const stages = new StageLog();
  afterAll(() => {
    stages.close();
  });

  test('tells two requests of one id apart', () => {
    const [one, other] = [{ id: 'x' }, { id: 'x' }];
    const event = { model: 'm', inputs: 1, ...SPAN };
    CHANNELS.tokenize.publish({ ...event, request: one, tokens: 3 });
    CHANNELS.tokenize.publish({ ...event, request: other, tokens: 5 });
    expect(stages.of(one).tokenize?.tokens).toBe(3);
    expect(stages.of(other).tokenize?.tokens).toBe(5);
  });

  test('gives each request of a batch the batch, and not the other requests', () => {
    const [one, other] = [{ id: 'a' }, { id: 'b' }];
    const counts = { rows: 2, tokens: 7, paddedTokens: 8, runMs: 0.5 };
    CHANNELS.batch.publish({ model: 'm', requests: [one, other], ...counts, ...SPAN });
    for (const request of [one, other]) {
      expect(stages.of(request)).toEqual({
        tokenize: null,
        queue: null,
        batches: [{ ...counts, ...SPAN }],
      });
    }
  });

  test('knows nothing of a request that got nowhere', () => {
    expect(stages.of({ id: 'a' })).toEqual({ tokenize: null, queue: null, batches: [] });
  });

  test('listens no more once it is closed', () => {
    const closed = new StageLog();
    closed.close();
    const request = { id: 'a' };
    CHANNELS.queue.publish({ request, model: 'm', ...SPAN });
    expect(closed.of(request).queue).toBeNull();
    expect(stages.of(request).queue).toMatchObject(SPAN);
  });
});
