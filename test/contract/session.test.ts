import { openSession } from '../../src/inference/ort.ts';
import { pad } from '../../src/inference/pad.ts';
import { folderOf } from '../support/open-servable.ts';

const OPTIONS = { intraOpNumThreads: 1, padTokenId: 9, positionOffset: 2, configEntries: {} };

const WORK = {
  ids: Int32Array.of(5, 6, 7),
  typeIds: Int32Array.of(0, 1, 0),
  lengths: Int32Array.of(2, 1),
  head: { kind: 'tokens', output: 'last_hidden_state' },
  crash: false,
} as const;

function fileOf(name: string): string {
  return folderOf(`test/fixtures/graphs/${name}.onnx`);
}

describe('openSession()', () => {
  test.each(['echo-int32', 'echo-int64'])('feeds every input of %s', async (name) => {
    const session = await openSession(fileOf(name), OPTIONS);
    const { shape, data } = await session.run(pad(WORK, OPTIONS.padTokenId), 'last_hidden_state');
    expect(shape).toEqual([2, 2, 4]);
    // Id, mask, type and position of each token; the last one is padding.
    expect(Array.from(data)).toEqual([5, 1, 0, 2, 6, 1, 1, 3, 7, 1, 0, 2, 9, 0, 0, 0]);
    await session.close();
  });

  test('feeds types of zero where the batch has none', async () => {
    const session = await openSession(fileOf('echo-int64'), OPTIONS);
    const batch = pad({ ...WORK, typeIds: null }, 0);
    const { data } = await session.run(batch, 'last_hidden_state');
    expect(Array.from(data).filter((_value, at) => at % 4 === 2)).toEqual([0, 0, 0, 0]);
    await session.close();
  });

  test('says what the file takes and gives', async () => {
    const session = await openSession(fileOf('echo-int32'), OPTIONS);
    expect(session.info).toEqual({
      inputs: ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'],
      outputs: [{ name: 'last_hidden_state', kind: 'hidden', dimensions: 4 }],
    });
    await session.close();
  });

  test.each([
    ['unknown-input', /needs an input "pixel_values".*input_ids, attention_mask/],
    ['float-input', /"input_ids".*float32.*int64 and int32/],
    ['integer-output', /no output that can be served.*"last_hidden_state" \(int64, rank 2\)/],
    ['rank-4-output', /no output that can be served.*"last_hidden_state" \(float32, rank 4\)/],
    ['missing', /cannot be loaded/],
  ])('refuses %s', async (name, message) => {
    const opening = openSession(fileOf(name), OPTIONS);
    await expect(opening).rejects.toMatchObject({
      fault: 'config',
      message: expect.stringMatching(message) as unknown,
    });
  });

  test('names no folder in its errors', async () => {
    const opening = openSession(fileOf('missing'), OPTIONS);
    await expect(opening).rejects.not.toThrow(/fixtures/);
  });
});
