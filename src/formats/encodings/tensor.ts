import type { Encoding } from '../encoding.ts';
import { Float32Bytes } from '../wire.ts';

/** Shape and bytes, row-major and little-endian: what `np.frombuffer` takes, for vectors and matrices alike. */
export const tensor: Encoding = {
  name: 'tensor',
  encode: ({ shape, data }, { dataEncoding }) => ({
    shape,
    dtype: 'float32',
    data_encoding: dataEncoding,
    data: new Float32Bytes(data, false),
  }),
};
