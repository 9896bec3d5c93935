import { requireAnswerSize } from '../../../src/limits/answer.ts';
import { MAX_ANSWER_BYTES } from '../../../src/limits/constants.ts';
import { thrown } from '../../support/thrown.ts';

describe('requireAnswerSize()', () => {
  test.each([1, 4, 512, 1024])(
    'takes exactly 256 MiB of %d dimensions, and no token more',
    (dimensions) => {
      const tokens = MAX_ANSWER_BYTES / (dimensions * 4);
      const param = 'inputs';
      expect(() => {
        requireAnswerSize({ tokens, dimensions, param });
      }).not.toThrow();
      const error = thrown(() => {
        requireAnswerSize({ tokens: tokens + 1, dimensions, param });
      });
      expect(error).toMatchObject({ code: 'answer_too_large', param });
      expect(String(error)).toContain(
        `take ${MAX_ANSWER_BYTES + dimensions * 4} bytes, and the limit of an answer is 268435456 bytes; send at most ${tokens} tokens`,
      );
    },
  );

  test('is reached by 341 inputs of 512 tokens and 384 dimensions', () => {
    const size = { dimensions: 384, param: 'inputs' };
    expect(() => {
      requireAnswerSize({ ...size, tokens: 341 * 512 });
    }).not.toThrow();
    const error = thrown(() => {
      requireAnswerSize({ ...size, tokens: 342 * 512 });
    });
    expect(String(error)).toContain('at most 174762 tokens');
  });
});
