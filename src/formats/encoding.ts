import type { Float32Tensor } from '../tensor.ts';
import type { Wire, WireValue } from './wire.ts';

/** How the numbers of a tensor are sent. */
export interface Encoding {
  /** As in `encoding_format`. */
  readonly name: string;
  /**
   * What a wire carries in place of the tensor: views of its numbers, which take no time here.
   * The tensor isn't changed until the wire has written them.
   */
  readonly encode: (tensor: Float32Tensor, wire: Wire) => WireValue;
}
