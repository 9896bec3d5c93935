import { readEnv } from './env.ts';

/** Levels of the logger hook, from the least to the most important. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** A level of the logger hook. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Takes what the client has to say; it prints nothing itself. */
export type Logger = Partial<Record<LogLevel, (message: string, fields?: object) => void>>;

/**
 * A logger hook that leaves out what is below `PERFORMANCE_CLIENT_LOG_LEVEL` (default `warn`).
 *
 * @param logger - Hears of failures.
 * @returns A hook with the levels that are wanted.
 */
export function filteredLogger(logger: Logger | undefined): Logger {
  if (!logger) return {};
  const name = readEnv('PERFORMANCE_CLIENT_LOG_LEVEL')?.trim().toLowerCase();
  const asked = LOG_LEVELS.findIndex((level) => level === name);
  const lowest = asked < 0 ? LOG_LEVELS.indexOf('warn') : asked;
  const kept: Logger = {};
  for (const level of LOG_LEVELS.slice(lowest)) {
    kept[level] = (message, fields) => logger[level]?.(message, fields);
  }
  return kept;
}
