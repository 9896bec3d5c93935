import type { ClassifyResult, ClassifyServable } from '../../../src/graph/servable.ts';
import { json } from '../../../src/formats/wires/json.ts';
import {
  classifyReply,
  parseClassify,
  parsePredict,
  predictReply,
} from '../../../src/protocol/classify.ts';
import { thrown } from '../../support/thrown.ts';

describe('parsePredict()', () => {
  test.each([
    ['a string', 's', ['s']],
    ['a list of one string', ['s'], ['s']],
    ['a list of strings', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['lists of one string', [['a'], ['b']], ['a', 'b']],
    ['pairs among others', [['a'], ['a', 'b'], 'c'], ['a', { first: 'a', second: 'b' }, 'c']],
    ['empty texts', ['', [''], ['', '']], ['', '', { first: '', second: '' }]],
    ['lone surrogates', [['\ud800', '\udc00']], [{ first: '\ufffd', second: '\ufffd' }]],
  ])('takes %s', (_name, inputs, expected) => {
    expect(parsePredict({ inputs })).toEqual({
      model: null,
      inputs: expected,
      param: 'inputs',
      options: { param: 'inputs', raw: false },
    });
  });

  test('reads what the Baseten client sends', () => {
    const body = {
      inputs: [['a'], ['b']],
      raw_scores: true,
      truncate: true,
      truncation_direction: 'Left',
      model: 'm',
    };
    expect(parsePredict(body)).toEqual({
      model: 'm',
      inputs: ['a', 'b'],
      param: 'inputs',
      options: { param: 'inputs', raw: true, truncate: 'left', side: 'left' },
    });
  });

  test.each([
    [{}, 'inputs', /it is missing/],
    [{ inputs: null }, 'inputs', /it is missing/],
    [{ inputs: [] }, 'inputs', /it is an empty list/],
    [{ inputs: 3 }, 'inputs', /it is 3/],
    [{ inputs: ['a', []] }, 'inputs', /item 1 is an empty list/],
    [{ inputs: [['a', 'b', 'c']] }, 'inputs', /item 0 is a list of 3 items/],
    [{ inputs: [['a', 1]] }, 'inputs', /item 0 is a list of 2 items/],
    [{ inputs: [[1, 'a']] }, 'inputs', /item 0 is a list of 2 items/],
    [{ inputs: [[['a']]] }, 'inputs', /item 0 is a list of 1 item/],
    [{ inputs: ['a', null] }, 'inputs', /item 1 is null/],
    [{ inputs: ['a', 7] }, 'inputs', /item 1 is 7/],
    [{ inputs: 'a', raw_scores: 0 }, 'raw_scores', /true or false/],
    [{ inputs: 'a', truncate: 1 }, 'truncate', /true or false/],
    [{ inputs: 'a', truncation_direction: '' }, 'truncation_direction', /left or right/],
    [{ inputs: 'a', model: ['m'] }, 'model', /name of a served model/],
  ])('refuses %j, naming %s', (body, param, message) => {
    expect(thrown(() => parsePredict(body))).toMatchObject({
      code: 'invalid_field',
      param,
      message: expect.stringMatching(message) as unknown,
    });
  });
});

describe('parseClassify()', () => {
  test('takes a string and a list of strings', () => {
    expect(parseClassify({ input: 's' }).inputs).toEqual(['s']);
    expect(parseClassify({ input: ['a', 'b'], model: 'm', raw_scores: true })).toEqual({
      model: 'm',
      inputs: ['a', 'b'],
      param: 'input',
      options: { param: 'input', raw: true },
    });
  });

  test.each([
    [{}, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [['a', 'b']] }, 'input'],
    [{ input: [1] }, 'input'],
    [{ input: 'a', raw_scores: 'x' }, 'raw_scores'],
    [{ input: 'a', model: 1 }, 'model'],
  ])('refuses %j, naming %s', (body, param) => {
    expect(thrown(() => parseClassify(body))).toMatchObject({ code: 'invalid_field', param });
  });
});

describe('the replies', () => {
  const result: ClassifyResult = {
    scores: [Float64Array.of(0.25, 0.5, 0.25), Float64Array.of(0, 0, 1)],
    promptTokens: 9,
    timings: { tokenizeMs: 1, queueMs: 2, runMs: 3 },
  };
  const model: ClassifyServable = {
    task: 'classify',
    name: 'org/served',
    limits: { maxBatchSize: 1, contextLength: 1 },
    labels: ['x', 'y', 'z'],
    facts: { fields: {}, output: { name: 'scores', shape: [3] } },
    tokenize: () => Promise.resolve([]),
    classify: () => Promise.resolve(result),
    close: () => Promise.resolve(),
  };
  const ranked = [
    [
      { label: 'y', score: 0.5 },
      { label: 'x', score: 0.25 },
      { label: 'z', score: 0.25 },
    ],
    [
      { label: 'z', score: 1 },
      { label: 'x', score: 0 },
      { label: 'y', score: 0 },
    ],
  ];

  test('of /predict are lists, the best label first, equal ones in the order of the model', () => {
    const { timings, body } = predictReply(result, model);
    expect(timings).toBe(result.timings);
    expect(body(json)).toEqual(ranked);
  });

  test('of /classify have the same as data, with model and usage', () => {
    const { timings, body } = classifyReply(result, model);
    expect(timings).toBe(result.timings);
    expect(body(json)).toEqual({
      object: 'classify',
      data: ranked,
      model: 'org/served',
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
  });
});
