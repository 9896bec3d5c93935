import {
  requireFewerDimensions,
  requireOwnDimensions,
  requireTokenRows,
} from '../../../src/protocol/embeddings-call.ts';
import { parseOpenaiEmbeddings } from '../../../src/protocol/openai.ts';
import { thrown } from '../../support/thrown.ts';
import { TINY_DIMENSIONS, TinyServable } from '../../support/tiny-server.ts';

const model = new TinyServable();

function callOf(dimensions: number | null): ReturnType<typeof parseOpenaiEmbeddings> {
  return parseOpenaiEmbeddings({ input: 'x', dimensions });
}

describe('requireOwnDimensions()', () => {
  test.each([null, TINY_DIMENSIONS])('accepts %j', (dimensions) => {
    expect(() => {
      requireOwnDimensions(callOf(dimensions), model);
    }).not.toThrow();
  });

  test.each([3, 5])('refuses %j, naming the size', (dimensions) => {
    const error = thrown(() => {
      requireOwnDimensions(callOf(dimensions), model);
    });
    expect(error).toMatchObject({ code: 'invalid_field', param: 'dimensions' });
    expect(String(error)).toMatch(/not supported on this route, and that of "org\/tiny" is 4/);
  });
});

describe('requireFewerDimensions()', () => {
  test.each([null, 1, 3, TINY_DIMENSIONS])('accepts %j', (dimensions) => {
    expect(() => {
      requireFewerDimensions(callOf(dimensions), model);
    }).not.toThrow();
  });

  test('refuses one more than the model has', () => {
    const error = thrown(() => {
      requireFewerDimensions(callOf(5), model);
    });
    expect(error).toMatchObject({ code: 'invalid_field', param: 'dimensions' });
    expect(String(error)).toMatch(/Cannot give embeddings of 5 dimensions: .* have 4; lower/);
  });
});

describe('requireTokenRows()', () => {
  test('accepts a model that has them', () => {
    expect(() => {
      requireTokenRows(callOf(null), model);
    }).not.toThrow();
  });

  test('refuses a model that pools by itself', () => {
    const pooled = new TinyServable({ name: 'pooled', hasTokenRows: false });
    const error = thrown(() => {
      requireTokenRows(callOf(null), pooled);
    });
    expect(error).toMatchObject({ code: 'wrong_node_type', param: 'model' });
    expect(String(error)).toContain('"pooled"');
  });
});
