import type { Encoding } from '../encoding.ts';
import { base64 } from './base64.ts';
import { float } from './float.ts';
import { tensor } from './tensor.ts';

/** The encodings by the name that clients send as `encoding_format`. */
export const ENCODINGS = { float, base64, tensor } as const satisfies Readonly<
  Record<string, Encoding>
>;

/** A key of {@link ENCODINGS}. */
export type EncodingName = keyof typeof ENCODINGS;
