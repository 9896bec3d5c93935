import type { RetryGate } from './retry-gate.ts';
import type { Transport } from './transport.ts';

/** A server that requests can go to. */
export interface Member {
  /** Base URL without a slash at its end. */
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly gate: RetryGate;
}

/** Chooses the member for a request. */
export interface Members {
  /** A member, if possible none of `tried`. */
  readonly pick: (tried: ReadonlySet<Member>) => Member;
  /** The base URLs that requests may go to. */
  readonly baseUrls: () => readonly string[];
}

/**
 * The one server of a client without an endpoint pool.
 *
 * @param member - Where all requests go.
 * @returns Always the same choice.
 */
export function onlyMember(member: Member): Members {
  return { pick: () => member, baseUrls: () => [member.baseUrl] };
}
