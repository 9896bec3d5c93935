import { CLASSIFY } from '../../../../src/graph/nodes/classify.ts';
import type { ClassifyServable } from '../../../../src/graph/servable.ts';
import { admit } from '../../../../src/limits/admit.ts';
import { logitsOutput, openScope, openTinyNode } from '../../../support/tiny-node.ts';

const LABELS = { '0': 'calm', '1': 'angry', '2': 'glad' };

async function open(
  config: object,
  logits: readonly number[] = [1, 2, 0],
): Promise<ClassifyServable> {
  const model = { config, outputs: logitsOutput(logits.length), compute: () => logits };
  return (await openTinyNode(CLASSIFY, model, {})).node;
}

async function classify(model: ClassifyServable, raw = false): Promise<readonly number[]> {
  const batch = admit({ inputs: ['a'], param: 'inputs' }, model.limits);
  const { scores } = await model.classify(batch, { param: 'inputs', raw, scope: openScope() });
  return [...(scores[0] ?? [])];
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

describe('a classify node', () => {
  test.each([undefined, 'single_label_classification'])(
    'of the problem type %s gives the softmax',
    async (type) => {
      const model = await open({ id2label: LABELS, problem_type: type });
      const sum = Math.exp(1) + Math.exp(2) + 1;
      const scores = await classify(model);
      [Math.exp(1), Math.exp(2), 1].forEach((power, at) => {
        expect(scores[at]).toBeCloseTo(power / sum, 12);
      });
      expect(await classify(model, true)).toEqual([1, 2, 0]);
    },
  );

  test('of several labels at once gives the sigmoid of each', async () => {
    const model = await open({ id2label: LABELS, problem_type: 'multi_label_classification' });
    const scores = await classify(model);
    [1, 2, 0].forEach((logit, at) => {
      expect(scores[at]).toBeCloseTo(sigmoid(logit), 12);
    });
  });

  test('of one label gives its sigmoid', async () => {
    const model = await open({ id2label: { '0': 'toxic' } }, [2]);
    expect((await classify(model))[0]).toBeCloseTo(sigmoid(2), 12);
  });

  test('of a regression gives the numbers as they are', async () => {
    const model = await open({ id2label: LABELS, problem_type: 'regression' });
    expect(await classify(model)).toEqual([1, 2, 0]);
  });

  test('orders labels by their number, not by their place', async () => {
    const labels = Array.from({ length: 11 }, (_, at) => [String(10 - at), `l${10 - at}`]);
    const model = await open({ id2label: Object.fromEntries(labels) as object }, [
      ...Array(11).keys(),
    ]);
    expect(model.labels[2]).toBe('l2');
    expect(model.labels[10]).toBe('l10');
  });

  test('names labels by number where config.json names none', async () => {
    expect((await open({})).labels).toEqual(['LABEL_0', 'LABEL_1', 'LABEL_2']);
  });

  test('is refused where config.json has more or fewer labels', async () => {
    await expect(open({ id2label: LABELS }, [1, 2])).rejects.toThrow(
      'models_path: the model gives 2 scores, and id2label in its config.json has 3 labels',
    );
  });

  test('fails a request whose logits are not finite', async () => {
    let logit = 0;
    function compute(): readonly number[] {
      return [logit, 0, 0];
    }
    const config = { id2label: LABELS };
    const { node } = await openTinyNode(
      CLASSIFY,
      { config, outputs: logitsOutput(3), compute },
      {},
    );
    logit = NaN;
    await expect(classify(node)).rejects.toMatchObject({ code: 'inference_failed' });
  });
});
