import { decode } from '@msgpack/msgpack';
import { Unpackr } from 'msgpackr';
import type { Wire, WireValue } from '../../src/formats/wire.ts';
import { json } from '../../src/formats/wires/json.ts';
import { msgpack } from '../../src/formats/wires/msgpack.ts';

/** A program that reads a wire. */
export interface WireReader {
  readonly wire: Wire;
  readonly read: (bytes: Uint8Array) => unknown;
}

/** Else it makes Maps, and BigInts of integers of 8 bytes. */
const unpackr = new Unpackr({ mapsAsObjects: true, int64AsType: 'number' });

/** What reads the wires in tests, by name: none of it is ours. */
export const WIRE_READERS: Readonly<Record<string, WireReader>> = {
  'JSON.parse': {
    wire: json,
    read: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown,
  },
  '@msgpack/msgpack': { wire: msgpack, read: decode },
  msgpackr: { wire: msgpack, read: (bytes) => unpackr.unpack(Buffer.from(bytes)) as unknown },
};

/**
 * Writes a value as one piece.
 *
 * @param wire - How.
 * @param value - Anything that it can carry.
 * @returns All bytes of its slices.
 */
export function bytesOf(wire: Wire, value: WireValue): Buffer {
  return Buffer.concat([...wire.serialize(value)]);
}
