import { CLASSIFY } from '../../src/graph/nodes/classify.ts';
import type { ModelOptions } from '../../src/graph/nodes/options.ts';
import type { ClassifyResult, ClassifyServable, ScoreOptions } from '../../src/graph/servable.ts';
import type { Input } from '../../src/input.ts';
import { admit } from '../../src/limits/admit.ts';
import { maxDifference, openNode } from '../support/open-servable.ts';
import { CLASSIFIER, CLASSIFIER_FOLDER, tokensOf } from '../support/score-fixtures.ts';

/** The same text alone and in company. Source: the contract. */
const BATCH_TOLERANCE = 1e-5;

let opened: ClassifyServable | undefined;

async function open(
  folder = CLASSIFIER_FOLDER,
  options: Partial<ModelOptions> = {},
): Promise<ClassifyServable> {
  opened = await openNode(CLASSIFY, folder, options);
  return opened;
}

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

function classify(
  model: ClassifyServable,
  inputs: readonly Input[],
  options: Partial<ScoreOptions> = {},
): Promise<ClassifyResult> {
  const scope = { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
  const batch = admit({ inputs, param: 'inputs' }, model.limits);
  return model.classify(batch, { param: 'inputs', raw: false, scope, ...options });
}

describe('tiny-classifier', () => {
  const texts = CLASSIFIER.inputs.map(({ text }) => text);

  test('has the labels of config.json, in the order of the logits', async () => {
    const model = await open();
    expect(model.labels).toEqual(CLASSIFIER.labels);
    expect(model.facts).toEqual({
      fields: { labels: CLASSIFIER.labels },
      output: { name: 'scores', shape: [3] },
    });
  });

  test('has the reference scores, alone and in one request', async () => {
    const model = await open();
    expect(model.limits.contextLength).toBe(CLASSIFIER.max_tokens);
    const together = await classify(model, texts);
    expect(together.promptTokens).toBe(tokensOf(CLASSIFIER.inputs));
    for (const [at, { text, scores }] of CLASSIFIER.inputs.entries()) {
      const wanted = CLASSIFIER.labels.map((label) => scores[label] ?? NaN);
      const alone = (await classify(model, [text])).scores[0] ?? [];
      const company = together.scores[at] ?? [];
      expect(maxDifference(alone, wanted)).toBeLessThanOrEqual(CLASSIFIER.tolerance);
      expect(maxDifference(company, wanted)).toBeLessThanOrEqual(CLASSIFIER.tolerance);
      expect(maxDifference(alone, company)).toBeLessThanOrEqual(BATCH_TOLERANCE);
    }
  });

  test('has the reference logits as raw scores', async () => {
    const model = await open();
    const { scores } = await classify(model, texts, { raw: true });
    CLASSIFIER.inputs.forEach(({ logits }, at) => {
      expect(maxDifference(scores[at] ?? [], logits)).toBeLessThanOrEqual(CLASSIFIER.tolerance);
    });
  });

  test('reads a pair as one input of both texts, by the template of the tokenizer', async () => {
    const model = await open();
    const pair = { first: 'A mountain lake.', second: 'The guide answers.' };
    const one = await classify(model, [pair]);
    const first = await classify(model, [pair.first]);
    const second = await classify(model, [pair.second]);
    // [CLS] first [SEP] second [SEP]
    expect(one.promptTokens).toBe(first.promptTokens + second.promptTokens - 1);
    const mixed = await classify(model, [pair.first, pair]);
    expect(maxDifference(mixed.scores[1] ?? [], one.scores[0] ?? [])).toBeLessThan(1e-5);
    expect(maxDifference(mixed.scores[0] ?? [], first.scores[0] ?? [])).toBeLessThan(1e-5);
  });

  test('takes as many tokens as the context has, and refuses or cuts one more', async () => {
    const model = await open();
    const most = 'a '.repeat(CLASSIFIER.max_tokens - 2);
    expect((await classify(model, [most])).promptTokens).toBe(CLASSIFIER.max_tokens);
    const longer = ['ok', `${most} a`];
    await expect(classify(model, longer)).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'inputs',
      message: expect.stringMatching(/input 1: it has 129 tokens .* 128/) as unknown,
    });
    const cut = await classify(model, longer, { truncate: 'right' });
    const exact = await classify(model, [most]);
    expect(maxDifference(cut.scores[1] ?? [], exact.scores[0] ?? [])).toBeLessThan(1e-5);
  });
});

describe('a model that cannot classify', () => {
  test('is refused where it embeds', async () => {
    await expect(open('models/all-MiniLM-L6-v2')).rejects.toMatchObject({
      fault: 'config',
      message: expect.stringMatching(
        /^model_file: has no output that scores .*is needed$/,
      ) as unknown,
    });
  });
});
