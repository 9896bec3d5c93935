import { json } from '../../../src/formats/wires/json.ts';
import { parseEmbed, parseEmbedAll, tensorsReply } from '../../../src/protocol/infinity.ts';
import { thrown } from '../../support/thrown.ts';

const BODY = { inputs: ['x'] };

describe.each([
  ['parseEmbed()', parseEmbed],
  ['parseEmbedAll()', parseEmbedAll],
])('%s', (_name, parse) => {
  test('fills in what was left out', () => {
    expect(parse({ inputs: 'x' })).toEqual({
      model: null,
      inputs: ['x'],
      param: 'inputs',
      encoding: 'float',
      dimensions: null,
      truncate: null,
      side: null,
      normalize: null,
    });
  });

  test('takes null for absent, and ignores what it does not know', () => {
    const nulls = ['model', 'encoding_format', 'truncate', 'truncation_direction', 'normalize'];
    const body = Object.fromEntries([...nulls, 'dimensions'].map((field) => [field, null]));
    expect(parse({ ...body, ...BODY, input: 5, user: 'u' })).toEqual(parse(BODY));
  });

  test.each([
    [{ truncate: true }, 'right', null],
    [{ truncate: true, truncation_direction: 'Right' }, 'right', 'right'],
    [{ truncate: true, truncation_direction: 'LEFT' }, 'left', 'left'],
    [{ truncate: false, truncation_direction: 'left' }, 'never', 'left'],
    [{ truncation_direction: 'left' }, null, 'left'],
    [{ truncate: null, truncation_direction: null }, null, null],
  ])('reads %j', (fields, truncate, side) => {
    expect(parse({ ...BODY, ...fields })).toMatchObject({ truncate, side });
  });

  test.each(['float', 'base64', 'tensor'])('knows the encoding %s', (encoding) => {
    expect(parse({ ...BODY, encoding_format: encoding })).toMatchObject({ encoding });
  });

  test.each([
    ['inputs', undefined],
    ['inputs', null],
    ['inputs', []],
    ['inputs', [1]],
    ['inputs', [['a']]],
    ['model', 5],
    ['encoding_format', 'Tensor'],
    ['truncate', 'true'],
    ['truncate', 1],
    ['truncation_direction', 'up'],
    ['truncation_direction', 'lefty'],
    ['truncation_direction', 5],
  ])('refuses %s: %j', (field, value) => {
    const error = thrown(() => parse({ ...BODY, [field]: value }));
    expect(error).toMatchObject({ code: 'invalid_field', param: field });
    expect(String(error)).toContain(`Cannot use the field "${field}": it `);
  });
});

describe('parseEmbed()', () => {
  test('reads scale and size', () => {
    expect(parseEmbed({ ...BODY, normalize: false, dimensions: 3 })).toMatchObject({
      normalize: false,
      dimensions: 3,
    });
  });

  test.each([
    ['normalize', 'yes'],
    ['dimensions', 0],
    ['dimensions', 1.5],
  ])('refuses %s: %j', (field, value) => {
    const error = thrown(() => parseEmbed({ ...BODY, [field]: value }));
    expect(error).toMatchObject({ code: 'invalid_field', param: field });
  });
});

test('parseEmbedAll() ignores scale and size', () => {
  expect(parseEmbedAll({ ...BODY, normalize: 'x', dimensions: 0 })).toEqual(parseEmbedAll(BODY));
});

test('tensorsReply() is a bare list', () => {
  const timings = { tokenizeMs: 1, queueMs: 2, runMs: 3 };
  const embeddings = [
    { shape: [1], data: Float32Array.of(1) },
    { shape: [2, 1], data: Float32Array.of(1, 2) },
  ];
  const call = parseEmbed({ ...BODY, encoding_format: 'base64' });
  const reply = tensorsReply(call, { embeddings, promptTokens: 3, timings });
  expect(reply.timings).toBe(timings);
  const text = Buffer.concat([...json.serialize(reply.body(json))]).toString();
  expect(JSON.parse(text)).toEqual(['AACAPw==', ['AACAPw==', 'AAAAQA==']]);
});
