import { admit, paddedBytes } from '../../../src/limits/admit.ts';
import { MAX_BATCH_SIZE_BOUND, MAX_PADDED_BYTES } from '../../../src/limits/constants.ts';
import { thrown } from '../../support/thrown.ts';

function submission(inputs: number) {
  return { inputs: Array<string>(inputs).fill(''), param: 'input' };
}

describe('admit()', () => {
  test.each([1, 8, 1024])('passes exactly %d inputs', (maxBatchSize) => {
    const sent = submission(maxBatchSize);
    expect(admit(sent, { maxBatchSize, contextLength: 512 })).toBe(sent.inputs);
  });

  test.each([1, 8, 1024])('refuses one input more than %d', (maxBatchSize) => {
    const error = thrown(() =>
      admit(submission(maxBatchSize + 1), { maxBatchSize, contextLength: 512 }),
    );
    expect(error).toMatchObject({ code: 'batch_too_large', param: 'input' });
    expect(String(error)).toContain(`${maxBatchSize + 1} inputs`);
    expect(String(error)).toContain(`max_batch_size is ${maxBatchSize}`);
  });

  test.each([
    [512, 262_144],
    [8_192, 16_384],
    [131_072, 1_024],
  ])('at a context of %d passes exactly %d inputs, which are 1 GiB', (contextLength, inputs) => {
    const limits = { maxBatchSize: MAX_BATCH_SIZE_BOUND, contextLength };
    expect(paddedBytes(inputs, contextLength)).toBe(MAX_PADDED_BYTES);
    expect(admit(submission(inputs), limits)).toHaveLength(inputs);
    const error = thrown(() => admit(submission(inputs + 1), limits));
    expect(error).toMatchObject({ code: 'tensor_too_large', param: 'input' });
    expect(String(error)).toContain(`at most ${inputs} inputs`);
  });

  test('names the count before the size', () => {
    const limits = { maxBatchSize: 1024, contextLength: 131_072 };
    const error = thrown(() => admit(submission(1025), limits));
    expect(error).toMatchObject({ code: 'batch_too_large' });
  });
});
