import { json } from '../../../src/formats/wires/json.ts';
import {
  embeddingsReply,
  parseEmbeddings,
  parseOpenaiEmbeddings,
} from '../../../src/protocol/openai.ts';
import { thrown } from '../../support/thrown.ts';

const BODY = { model: 'm', input: 'x' };

describe('parseEmbeddings()', () => {
  test('fills in what was left out', () => {
    expect(parseEmbeddings(BODY)).toEqual({
      model: 'm',
      inputs: ['x'],
      param: 'input',
      encoding: 'float',
      dimensions: null,
      truncate: null,
      side: null,
      normalize: null,
    });
  });

  test('takes null for absent, and ignores what it does not know', () => {
    const body = {
      ...BODY,
      encoding_format: null,
      dimensions: null,
      user: 5,
      foo: {},
      truncate: 1,
    };
    expect(parseEmbeddings(body)).toEqual(parseEmbeddings(BODY));
  });

  test.each(['float', 'base64'])('knows the encoding %s', (encoding) => {
    expect(parseEmbeddings({ ...BODY, encoding_format: encoding })).toMatchObject({ encoding });
  });

  test.each([
    ['model', undefined],
    ['model', null],
    ['model', ''],
    ['model', 5],
    ['input', undefined],
    ['input', [1]],
    ['encoding_format', 'tensor'],
    ['encoding_format', 'FLOAT'],
    ['encoding_format', 5],
    ['encoding_format', 'constructor'],
    ['dimensions', 0],
    ['dimensions', -1],
    ['dimensions', 1.5],
    ['dimensions', '384'],
  ])('refuses %s: %j', (field, value) => {
    const error = thrown(() => parseEmbeddings({ ...BODY, [field]: value }));
    expect(error).toMatchObject({ code: 'invalid_field', param: field });
    expect(String(error)).toContain(`Cannot use the field "${field}": it `);
  });

  test('refuses what is no object', () => {
    expect(thrown(() => parseEmbeddings(null))).toMatchObject({ code: 'invalid_field' });
  });
});

describe('parseOpenaiEmbeddings()', () => {
  test.each([undefined, null])('takes %j for the only model', (model) => {
    expect(parseOpenaiEmbeddings({ ...BODY, model })).toEqual({
      ...parseEmbeddings(BODY),
      model: null,
    });
  });

  test.each(['float', 'base64', 'tensor'])('knows the encoding %s', (encoding) => {
    const body = { input: ['x'], encoding_format: encoding, dimensions: 5 };
    expect(parseOpenaiEmbeddings(body)).toMatchObject({ encoding, dimensions: 5 });
  });

  test.each([
    ['model', ''],
    ['model', 5],
    ['input', null],
    ['input', [[1]]],
    ['encoding_format', 'binary'],
    ['dimensions', 0],
    ['dimensions', '4'],
  ])('refuses %s: %j', (field, value) => {
    const error = thrown(() => parseOpenaiEmbeddings({ ...BODY, [field]: value }));
    expect(error).toMatchObject({ code: 'invalid_field', param: field });
  });
});

test('embeddingsReply() is an OpenAI list', () => {
  const timings = { tokenizeMs: 1, queueMs: 2, runMs: 3 };
  const embeddings = [1, 2].map((value) => ({ shape: [1], data: Float32Array.of(value) }));
  const call = parseEmbeddings({ ...BODY, encoding_format: 'base64' });
  const reply = embeddingsReply(call, { embeddings, promptTokens: 7, timings }, 'served');
  expect(reply.timings).toBe(timings);
  const text = Buffer.concat([...json.serialize(reply.body(json))]).toString();
  expect(JSON.parse(text)).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', embedding: 'AACAPw==', index: 0 },
      { object: 'embedding', embedding: 'AAAAQA==', index: 1 },
    ],
    model: 'served',
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
});
