import { CLASSIFY } from '../../../../src/graph/nodes/classify.ts';
import { RERANK } from '../../../../src/graph/nodes/rerank.ts';
import { post } from '../../../support/raw-connection.ts';
import { logitsOutput, openTinyNode } from '../../../support/tiny-node.ts';
import { errorOf, readyStatus, TinyServer } from '../../../support/tiny-server.ts';

/** How often a letter is in a text. */
function countOf(letter: string): (codes: readonly number[]) => number {
  return (codes) => codes.filter((code) => code === letter.charCodeAt(0)).length;
}

describe('the routes of rerankers and classifiers', () => {
  let server: TinyServer;

  beforeAll(async () => {
    const rerank = await openTinyNode(
      RERANK,
      { config: {}, outputs: logitsOutput(1), compute: (codes) => [countOf('a')(codes)] },
      { scoring: 'logits' },
    );
    const classify = await openTinyNode(
      CLASSIFY,
      {
        config: { id2label: { 0: 'a', 1: 'b' }, problem_type: 'regression' },
        outputs: logitsOutput(2),
        compute: (codes) => [countOf('a')(codes), countOf('b')(codes)],
      },
      {},
    );
    const statuses = [
      readyStatus({ ...rerank.node, name: 'ranks' }),
      readyStatus({ ...classify.node, name: 'labels' }),
    ];
    server = await TinyServer.start({ statuses });
  });
  afterAll(async () => {
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  async function ask(path: string, body: object): Promise<unknown> {
    const response = await server.send(post(path, JSON.stringify(body)));
    expect(response.status).toBe(200);
    expect(response.headers['server-timing']).toContain('inference;dur=1.00');
    return JSON.parse(response.body.toString());
  }

  test('POST /rerank gives a bare list, whatever comes equal by index', async () => {
    const body = { query: '', texts: ['x', 'aa', 'a', 'y'], raw_scores: true };
    expect(await ask('/rerank', body)).toEqual([
      { index: 1, score: 2 },
      { index: 2, score: 1 },
      { index: 0, score: 0 },
      { index: 3, score: 0 },
    ]);
  });

  test.each(['/v3/rerank', '/v1/rerank', '/v2/rerank', '/v3/v1/rerank'])(
    'POST %s gives the model and the tokens',
    async (path) => {
      const body = { query: 'q', documents: ['x', { text: 'aa' }], top_n: 1, raw_scores: true };
      expect(await ask(path, body)).toEqual({
        results: [{ index: 1, relevance_score: 2 }],
        model: 'ranks',
        // A token for each character: "qx" and "qaa".
        usage: { prompt_tokens: 5, total_tokens: 5 },
      });
    },
  );

  test.each(['/predict', '/v3/predict'])('POST %s gives a list for each input', async (path) => {
    expect(await ask(path, { inputs: [['bb'], ['a', 'b']] })).toEqual([
      [
        { label: 'b', score: 2 },
        { label: 'a', score: 0 },
      ],
      [
        { label: 'a', score: 1 },
        { label: 'b', score: 1 },
      ],
    ]);
  });

  test('POST /classify gives the model and the tokens', async () => {
    expect(await ask('/classify', { input: 'a', model: 'labels' })).toEqual({
      object: 'classify',
      data: [
        [
          { label: 'a', score: 1 },
          { label: 'b', score: 0 },
        ],
      ],
      model: 'labels',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
  });

  test('name the type of a model of another one', async () => {
    const body = { query: 'q', texts: ['a'], model: 'labels' };
    const response = await server.send(post('/rerank', JSON.stringify(body)));
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({
      code: 'wrong_node_type',
      param: 'model',
      message: 'Cannot use the model "labels" for rerank: its node is of the type classify',
    });
  });
});
