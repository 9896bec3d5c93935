import type { ScoreResult } from '../../../src/graph/servable.ts';
import { json } from '../../../src/formats/wires/json.ts';
import { parseRerank, rerankReply, type RerankCall } from '../../../src/protocol/rerank.ts';
import { thrown } from '../../support/thrown.ts';

const TEXTS = { query: 'q', texts: ['a', 'b'] };
const DOCUMENTS = { query: 'q', documents: ['a', 'b'] };

describe('parseRerank()', () => {
  test('reads a body of texts', () => {
    expect(parseRerank(TEXTS, 'texts')).toEqual({
      model: null,
      query: 'q',
      inputs: ['a', 'b'],
      param: 'texts',
      options: { param: 'texts', raw: false },
      topN: Infinity,
      hasDocuments: false,
    });
  });

  test('reads what the Baseten client sends', () => {
    const body = {
      query: '',
      raw_scores: false,
      return_text: true,
      texts: [''],
      truncate: false,
      truncation_direction: 'Right',
      model: 'm',
    };
    expect(parseRerank(body, 'texts')).toEqual({
      model: 'm',
      query: '',
      inputs: [''],
      param: 'texts',
      options: { param: 'texts', raw: false, truncate: 'never', side: 'right' },
      topN: Infinity,
      hasDocuments: true,
    });
  });

  test('reads a body of documents, as strings and as objects with a text', () => {
    const body = {
      model: 'm',
      query: 'q',
      documents: ['a', { text: 'b', title: 'ignored' }],
      top_n: 1,
      return_documents: true,
      raw_scores: true,
      truncate: true,
      truncation_direction: 'lEFT',
    };
    expect(parseRerank(body, 'documents')).toEqual({
      model: 'm',
      query: 'q',
      inputs: ['a', 'b'],
      param: 'documents',
      options: { param: 'documents', raw: true, truncate: 'left', side: 'left' },
      topN: 1,
      hasDocuments: true,
    });
  });

  test('takes null for absent', () => {
    const nulls = { model: null, raw_scores: null, truncate: null, truncation_direction: null };
    const texts = { ...TEXTS, ...nulls, return_text: null, documents: null };
    expect(parseRerank(texts, 'documents')).toEqual(parseRerank(TEXTS, 'texts'));
    const documents = { ...DOCUMENTS, ...nulls, top_n: null, return_documents: null, texts: null };
    expect(parseRerank(documents, 'texts')).toEqual(parseRerank(DOCUMENTS, 'documents'));
  });

  test('goes by the usual field of the route where both are there', () => {
    expect(parseRerank({ ...TEXTS, ...DOCUMENTS }, 'texts').param).toBe('texts');
    expect(parseRerank({ ...TEXTS, ...DOCUMENTS }, 'documents').param).toBe('documents');
  });

  test('ignores the fields of the other shape', () => {
    const call = parseRerank({ ...TEXTS, top_n: 'x', return_documents: 1 }, 'texts');
    expect(call).toEqual(parseRerank(TEXTS, 'texts'));
    expect(parseRerank({ ...DOCUMENTS, return_text: 1 }, 'documents').hasDocuments).toBe(false);
  });

  test('replaces lone surrogates in query and documents', () => {
    const body = { query: 'q\ud800', documents: ['\udc00', { text: 'x\ud800' }] };
    expect(parseRerank(body, 'documents')).toMatchObject({
      query: 'q\ufffd',
      inputs: ['\ufffd', 'x\ufffd'],
    });
  });

  test.each([
    [{ texts: ['a'] }, 'query', /must be a string/],
    [{ ...TEXTS, query: null }, 'query', /must be a string/],
    [{ ...TEXTS, query: ['q'] }, 'query', /must be a string/],
    [{ query: 'q' }, 'texts', /non-empty list of strings, and it is missing/],
    [{ ...TEXTS, texts: [] }, 'texts', /it is an empty list/],
    [{ ...TEXTS, texts: 'a' }, 'texts', /it is a string/],
    [{ ...TEXTS, texts: { 0: 'a' } }, 'texts', /it is an object/],
    [{ ...TEXTS, texts: ['a', 5] }, 'texts', /item 1 is 5/],
    [{ ...TEXTS, texts: ['a', null] }, 'texts', /item 1 is null/],
    [{ ...TEXTS, texts: ['a', { text: 'b' }] }, 'texts', /item 1 is an object/],
    [{ ...TEXTS, texts: ['a', ['b']] }, 'texts', /item 1 is a list of 1 item/],
    [{ ...TEXTS, model: 1 }, 'model', /name of a served model/],
    [{ ...TEXTS, model: '' }, 'model', /name of a served model/],
    [{ ...TEXTS, raw_scores: 'yes' }, 'raw_scores', /true or false/],
    [{ ...TEXTS, return_text: 1 }, 'return_text', /true or false/],
    [{ ...TEXTS, truncate: 'left' }, 'truncate', /true or false/],
    [{ ...TEXTS, truncation_direction: 'up' }, 'truncation_direction', /left or right/],
    [{ ...TEXTS, truncation_direction: 1 }, 'truncation_direction', /left or right/],
  ])('refuses %j, naming %s', (body, param, message) => {
    expect(thrown(() => parseRerank(body, 'texts'))).toMatchObject({
      code: 'invalid_field',
      param,
      message: expect.stringMatching(message) as unknown,
    });
  });

  test.each([
    [{ query: 'q' }, 'documents', /strings or of objects with a string "text", and it is missing/],
    [{ ...DOCUMENTS, documents: [] }, 'documents', /it is an empty list/],
    [{ ...DOCUMENTS, documents: ['a', { body: 'b' }] }, 'documents', /item 1 is an object/],
    [{ ...DOCUMENTS, documents: [{ text: 1 }] }, 'documents', /item 0 is an object/],
    [{ ...DOCUMENTS, documents: ['a', null] }, 'documents', /item 1 is null/],
    [{ ...DOCUMENTS, top_n: 0 }, 'top_n', /whole number of at least 1/],
    [{ ...DOCUMENTS, top_n: -1 }, 'top_n', /whole number of at least 1/],
    [{ ...DOCUMENTS, top_n: 1.5 }, 'top_n', /whole number of at least 1/],
    [{ ...DOCUMENTS, top_n: '1' }, 'top_n', /whole number of at least 1/],
    [{ ...DOCUMENTS, return_documents: 'no' }, 'return_documents', /true or false/],
  ])('refuses %j, naming %s', (body, param, message) => {
    expect(thrown(() => parseRerank(body, 'documents'))).toMatchObject({
      code: 'invalid_field',
      param,
      message: expect.stringMatching(message) as unknown,
    });
  });
});

describe('rerankReply()', () => {
  const result: ScoreResult = {
    scores: Float64Array.of(0.25, 0.75, 0.5, 0.75),
    promptTokens: 21,
    timings: { tokenizeMs: 1, queueMs: 2, runMs: 3 },
  };
  const inputs = ['a', 'b', 'c', 'd'];

  function reply(body: object): unknown {
    const call: RerankCall = parseRerank({ query: 'q', ...body }, 'texts');
    const { timings, body: written } = rerankReply(call, result, 'org/served');
    expect(timings).toBe(result.timings);
    return written(json);
  }

  test('answers texts with a bare list, the best first, equal ones by index', () => {
    expect(reply({ texts: inputs })).toEqual([
      { index: 1, score: 0.75 },
      { index: 3, score: 0.75 },
      { index: 2, score: 0.5 },
      { index: 0, score: 0.25 },
    ]);
  });

  test('gives the texts only when asked', () => {
    expect(reply({ texts: inputs, return_text: true })).toEqual([
      { index: 1, score: 0.75, text: 'b' },
      { index: 3, score: 0.75, text: 'd' },
      { index: 2, score: 0.5, text: 'c' },
      { index: 0, score: 0.25, text: 'a' },
    ]);
  });

  test('answers documents with results, model and usage', () => {
    const documents = [inputs[0], { text: inputs[1] }, ...inputs.slice(2)];
    expect(reply({ documents, top_n: 2, return_documents: true })).toEqual({
      results: [
        { index: 1, relevance_score: 0.75, document: { text: 'b' } },
        { index: 3, relevance_score: 0.75, document: { text: 'd' } },
      ],
      model: 'org/served',
      usage: { prompt_tokens: 21, total_tokens: 21 },
    });
  });

  test.each([1, 3, 4, 5, 1e9])('gives at most %d results', (topN) => {
    const { results } = reply({ documents: inputs, top_n: topN }) as { results: unknown[] };
    expect(results).toHaveLength(Math.min(topN, 4));
  });
});
