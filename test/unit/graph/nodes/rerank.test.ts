import { RERANK } from '../../../../src/graph/nodes/rerank.ts';
import type { RerankServable } from '../../../../src/graph/servable.ts';
import { admit } from '../../../../src/limits/admit.ts';
import { logitsOutput, openScope, openTinyNode } from '../../../support/tiny-node.ts';

const A = 'a'.charCodeAt(0);

async function open(
  compute: (codes: readonly number[]) => readonly number[],
  size: number,
): Promise<RerankServable> {
  const model = { config: {}, outputs: logitsOutput(size), compute };
  return (await openTinyNode(RERANK, model, { scoring: 'logits' })).node;
}

async function score(
  model: RerankServable,
  documents: readonly string[],
  raw = false,
): Promise<readonly number[]> {
  const batch = admit({ inputs: documents, param: 'texts' }, model.limits);
  const { scores } = await model.score('q', batch, { param: 'texts', raw, scope: openScope() });
  return [...scores];
}

describe('a rerank node', () => {
  test('with one logit gives its sigmoid, and equal documents one and the same score', async () => {
    const model = await open((codes) => [codes.filter((code) => code === A).length], 1);
    const scores = await score(model, ['aa', 'b', 'aa']);
    expect(scores).toEqual([1 / (1 + Math.exp(-2)), 0.5, 1 / (1 + Math.exp(-2))]);
    expect(await score(model, ['aa', 'b'], true)).toEqual([2, 0]);
  });

  test('with two logits gives the softmax of the last, raw their difference', async () => {
    const model = await open((codes) => [1, codes.filter((code) => code === A).length], 2);
    const [yes = NaN, no = NaN] = await score(model, ['aaa', 'b']);
    expect(yes).toBeCloseTo(Math.exp(3) / (Math.exp(1) + Math.exp(3)), 12);
    expect(no).toBeCloseTo(1 / (Math.exp(1) + 1), 12);
    expect(await score(model, ['aaa', 'b'], true)).toEqual([2, -1]);
  });

  test('with three logits is refused, and leaves nothing open', async () => {
    await expect(open(() => [1, 2, 3], 3)).rejects.toThrow(/^model_file: gives 3 scores/);
  });

  test('whose only flat output has another name uses that', async () => {
    const { node, closed } = await openTinyNode(
      RERANK,
      {
        config: {},
        outputs: [
          { name: 'last_hidden_state', kind: 'hidden', dimensions: 8 },
          { name: 'score', kind: 'pooled', dimensions: 1 },
        ],
        compute: () => [0],
      },
      { scoring: 'logits' },
    );
    expect(await score(node, ['x'])).toEqual([0.5]);
    await node.close();
    expect([...closed].sort()).toEqual(['engine', 'tokenizer']);
  });

  test.each([
    ['none', []],
    [
      'two of unknown names',
      [
        { name: 'x', kind: 'pooled', dimensions: 1 },
        { name: 'y', kind: 'pooled', dimensions: 1 },
      ],
    ],
  ] as const)('whose flat outputs are %s is refused', async (_name, outputs) => {
    const opening = openTinyNode(
      RERANK,
      { config: {}, outputs, compute: () => [0] },
      {
        scoring: 'logits',
      },
    );
    await expect(opening).rejects.toThrow(/^model_file: has no output that scores/);
  });

  test.each([NaN, Infinity])('fails a request whose logit is %d, and no other', async (bad) => {
    const model = await open((codes) => [codes.includes(A) ? bad : 1], 1);
    const [failed, other] = await Promise.allSettled([
      score(model, ['b', 'a']),
      score(model, ['b']),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'inference_failed' } });
    expect(other).toMatchObject({ status: 'fulfilled' });
  });

  test('is refused at the start where its numbers are not finite', async () => {
    await expect(open(() => [NaN], 1)).rejects.toThrow(/^model_file: .*not finite/);
  });
});
