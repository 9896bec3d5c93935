import type { Wire } from '../wire.ts';
import { json } from './json.ts';
import { msgpack } from './msgpack.ts';

/** The wires; the first is that of clients which ask for none. */
export const WIRES: readonly [Wire, ...Wire[]] = [json, msgpack];
