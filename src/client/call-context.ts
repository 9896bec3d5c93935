import type { Budget } from './budget.ts';
import type { CallScope } from './call-scope.ts';
import type { Logger } from './logger.ts';
import type { Member, Members } from './members.ts';
import type { Settings } from './settings.ts';
import type { Headers } from './transport.ts';

/** What all requests of a call share. */
export interface CallContext {
  readonly settings: Settings;
  readonly scope: CallScope;
  readonly logger: Logger;
  readonly members: Members;
  /** Member for the first attempts, if the call is pinned to one. */
  readonly pinned: Member | null;
  readonly retryBudget: Budget;
  readonly hedgeBudget: Budget;
  readonly method: string;
  readonly path: string;
  /** Headers that are the same in every request. */
  readonly headers: Headers;
  /** Headers of the user's, which beat what differs from request to request, too. */
  readonly extraHeaders: Headers;
  /** Milliseconds that an attempt may take, rounded down. */
  readonly timeoutMs: number;
  /** The same as servers are told it, rounded up. */
  readonly timeoutHeader: string;
  /** Start of the request ids. */
  readonly idBase: string;
}

/** One batch, from its slot to its answer. */
export interface BatchRequest {
  readonly index: number;
  readonly body: Uint8Array | null;
  /** Members that have had a request of this batch. */
  readonly tried: Set<Member>;
}

/** One attempt for a batch, or the hedge of one. */
export interface Attempt {
  readonly request: BatchRequest;
  /** Retries before this one. */
  readonly retry: number;
  /** Number of the hedge of this batch, from 1; `null` for the attempt itself. */
  readonly hedge: number | null;
  readonly member: Member;
}

/** A whole answer with a status of 2xx. */
export interface Reply {
  readonly headers: Headers;
  /** Whether the transport has decompressed the body. */
  readonly decoded: boolean;
  readonly body: Uint8Array;
}

/** A stage of the way of a request. */
export type Step<From> = (from: From) => Promise<Reply>;

/**
 * Id of a batch's requests, as errors name it.
 *
 * @param call - What its requests share.
 * @param index - Number of the batch, from 0.
 * @returns Text that is legal in a header.
 */
export function requestId(call: CallContext, index: number): string {
  return `${call.idBase}-${index}-0`;
}
