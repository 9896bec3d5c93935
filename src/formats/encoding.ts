import type { Float32Tensor } from '../tensor.ts';
import type { Wire, WireValue } from './wire.ts';

/** How the numbers of a tensor are sent. */
export interface Encoding {
  /** As in `encoding_format`. */
  readonly name: string;
  /**
   * What a wire carries in place of the tensor.
   *
   * @throws `ServeError` `inference_failed` for a tensor that holds NaN or an infinity.
   */
  readonly encode: (tensor: Float32Tensor, wire: Wire) => WireValue;
}
