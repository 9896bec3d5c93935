import type { Logger } from './logger.ts';
import type { Members } from './members.ts';
import type { ModelLimitsCache } from './model-limits.ts';

/** What the calls of a client share. */
export interface ClientCore {
  readonly apiKey: string;
  readonly members: Members;
  readonly logger: Logger;
  /** Value of `accept-encoding`, or `null` to send none. */
  readonly acceptEncoding: string | null;
  /** Largest answer, in bytes. */
  readonly maxAnswerBytes: number;
  readonly limits: ModelLimitsCache;
  /** Whether the client was closed. */
  readonly isClosed: () => boolean;
}
