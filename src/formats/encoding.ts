import type { Float32Tensor } from '../tensor.ts';
import type { Wire, WireValue } from './wire.ts';

/** How the numbers of a tensor are sent. */
export interface Encoding {
  /** As in `encoding_format`. */
  readonly name: string;
  readonly encode: (tensor: Float32Tensor, wire: Wire) => WireValue;
}
