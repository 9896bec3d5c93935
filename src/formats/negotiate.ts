import type { Wire } from './wire.ts';
import { WIRES } from './wires/index.ts';

/** A wire, and how its answers are labelled. */
export interface Negotiated {
  readonly wire: Wire;
  /** The one of the wire's media types that the client listed; its first, if none. */
  readonly mediaType: string;
}

/** A member of an Accept header. */
interface Range {
  /** In lower case, without parameters. */
  readonly type: string;
  /** From 0 to 1. */
  readonly quality: number;
}

/** Longer headers are cut: no client needs them, and they cost time. */
const MAX_ACCEPT_CHARACTERS = 2_000;

const WEIGHT = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/;

/** Headers that need no look: the usual ones. */
const ASKS_FOR_ANY: ReadonlySet<string> = new Set(['', '*/*', 'application/json']);

/**
 * Chooses the wire of an answer from the request's Accept header (RFC 9110, section 12.5.1).
 *
 * The first wire is the default: it answers wildcards, no header, and headers that name no wire at all
 * (nothing is ever refused for its Accept). Another wire is chosen where the header names one of its
 * media types, with a quality that isn't below the default's: a plain list of both, as the Baseten
 * client sends it, means the other. Wildcards mean another wire only where the header excludes the
 * default by `q=0`.
 *
 * @param accept - The header's value, if there is one.
 * @param wires - To choose from; the default first.
 * @returns The wire, and the media type for `Content-Type`.
 */
export function negotiate(
  accept: string | undefined,
  wires: readonly [Wire, ...Wire[]] = WIRES,
): Negotiated {
  const [standard] = wires;
  if (accept !== undefined && !ASKS_FOR_ANY.has(accept)) return bestOf(rangesOf(accept), wires);
  return { wire: standard, mediaType: standard.mediaTypes[0] };
}

function bestOf(ranges: readonly Range[], wires: readonly [Wire, ...Wire[]]): Negotiated {
  const [standard, ...others] = wires;
  const [mediaType] = standard.mediaTypes;
  let best = { wire: standard, mediaType, quality: qualityOf(ranges, mediaType) };
  const qualityOfOther = namedQuality(ranges, mediaType) === 0 ? qualityOf : namedQuality;
  for (const wire of others) {
    for (const other of wire.mediaTypes) {
      const quality = qualityOfOther(ranges, other) ?? 0;
      const isBetter = best.wire === standard ? quality >= best.quality : quality > best.quality;
      if (quality > 0 && isBetter) best = { wire, mediaType: other, quality };
    }
  }
  return best;
}

// A member whose weight is no weight counts as not there.
function rangesOf(accept: string): readonly Range[] {
  return accept
    .slice(0, MAX_ACCEPT_CHARACTERS)
    .toLowerCase()
    .split(',')
    .flatMap((member) => {
      const [type = '', ...parameters] = member.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return WEIGHT.test(weight) ? [{ type, quality: Number(weight) }] : [];
    });
}

// Of several equal ranges the best counts; null: there is none.
function namedQuality(ranges: readonly Range[], type: string): number | null {
  const named = ranges.filter((range) => range.type === type);
  return named.length === 0 ? null : Math.max(...named.map(({ quality }) => quality));
}

// The most specific range counts: the media type, then `application/*`, then any.
function qualityOf(ranges: readonly Range[], mediaType: string): number {
  const named = [mediaType, 'application/*', '*/*'].map((type) => namedQuality(ranges, type));
  return named.find((quality) => quality !== null) ?? 0;
}
