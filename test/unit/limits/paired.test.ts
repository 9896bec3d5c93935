import { requirePairable } from '../../../src/limits/paired.ts';
import { thrown } from '../../support/thrown.ts';

describe('requirePairable()', () => {
  test('lets a query pass that the context could hold, for any number of documents', () => {
    requirePairable({ characters: 4096, documents: 1e9, contextLength: 512 });
  });

  test('lets a longer query pass up to the limit, and refuses a document or a character more', () => {
    requirePairable({ characters: 8000, documents: 1000, contextLength: 512 });
    const one = { characters: 8000, documents: 1001, contextLength: 512 };
    expect(
      thrown(() => {
        requirePairable(one);
      }),
    ).toMatchObject({
      code: 'input_too_long',
      param: 'query',
      message: expect.stringMatching(
        /^Cannot score 1001 documents .* 8000 characters: .* 8008000 .* 8000000; .* at most 1000 documents/,
      ) as unknown,
    });
    const other = { characters: 8001, documents: 1000, contextLength: 512 };
    expect(
      thrown(() => {
        requirePairable(other);
      }),
    ).toMatchObject({ code: 'input_too_long' });
  });
});
