import type { StartError } from '../errors.ts';
import type { SERVER_SETTINGS } from './schema.ts';

/** Server-wide settings. */
export interface ServerSettings {
  readonly restBindAddress: string;
  /** 0: any free port. */
  readonly restPort: number;
  /** Seconds from SIGTERM during which requests are still served, with readiness at 503. */
  readonly drainDelayS: number;
  /** Seconds that requests in flight may take after that. */
  readonly graceS: number;
  /** Tokens that may wait for each model; absent: 2,048 rows as long as its context. */
  readonly queueTokens?: number;
  /** The least level that is logged. */
  readonly logLevel: (typeof SERVER_SETTINGS.log_level.enum)[number];
  /** Whether metrics are kept, and given at /metrics. */
  readonly metricsEnable: boolean;
}

/** The node of a graph: one model at work. */
export interface NodeSettings {
  readonly name: string;
  /** A key of NODE_TYPES. */
  readonly type: string;
  /** Passed the node type's option schema: defaults filled in, keys in camelCase, paths absolute. */
  readonly options: unknown;
  /** An error that says where the option was set, as `file:line: path: reason` or `--flag: reason`. */
  readonly fault: (option: readonly string[], reason: string) => StartError;
}

/** A served model. */
export interface ModelSettings {
  /** The name that clients send as `model`. */
  readonly name: string;
  readonly node: NodeSettings;
}

/** Everything that a server is started with; frozen. */
export interface Settings {
  readonly server: ServerSettings;
  readonly models: readonly ModelSettings[];
}
