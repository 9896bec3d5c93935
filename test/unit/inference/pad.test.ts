import { pad } from '../../../src/inference/pad.ts';

const HEAD = { kind: 'tokens', output: 'x' } as const;

describe('pad()', () => {
  test('pads on the right with the padding id, and masks it', () => {
    const work = {
      ids: Int32Array.of(7, 8, 9, 5),
      typeIds: null,
      lengths: Int32Array.of(3, 1),
      head: HEAD,
      crash: false,
    };
    expect(pad(work, 1)).toEqual({
      rows: 2,
      columns: 3,
      inputIds: Int32Array.of(7, 8, 9, 5, 1, 1),
      attentionMask: Int32Array.of(1, 1, 1, 1, 0, 0),
      typeIds: null,
    });
  });

  test('masks a real token that is equal to the padding id', () => {
    const work = {
      ids: Int32Array.of(0, 4),
      typeIds: null,
      lengths: Int32Array.of(1, 1),
      head: HEAD,
      crash: false,
    };
    expect(pad(work, 0).attentionMask).toEqual(Int32Array.of(1, 1));
  });

  test('lays types out like ids', () => {
    const work = {
      ids: Int32Array.of(7, 8, 9, 5),
      typeIds: Int32Array.of(0, 1, 1, 1),
      lengths: Int32Array.of(1, 3),
      head: HEAD,
      crash: false,
    };
    expect(pad(work, 0).typeIds).toEqual(Int32Array.of(0, 0, 0, 1, 1, 1));
  });
});
