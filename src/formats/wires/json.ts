import { base64Text } from '../bytes.ts';
import type { Wire } from '../wire.ts';
import { JsonWriter } from './json-writer.ts';

/** JSON. Numbers of a Float32Array are the shortest decimals that read back to the same float32. */
export const json: Wire = {
  mediaTypes: ['application/json'],
  dataEncoding: 'base64',
  bytes: base64Text,
  serialize: (value) => new JsonWriter().slices(value),
};
