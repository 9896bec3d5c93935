import { types } from 'node:util';
import { SERVER_SETTINGS } from '../config/schema.ts';

/** Names of log levels, from most to least talkative. Source: OVMS, `--log_level`. */
const LOG_LEVELS = SERVER_SETTINGS.log_level.enum;

/** How much an operator should care. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What else a line tells, by name. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Tells the operator something, in one line. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** Where lines go, and which. */
export interface LineLoggerOptions {
  /** Lines below this level are dropped. */
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

/**
 * A log of lines for people: `2026-01-31T12:00:00.000Z INFO message key=value`.
 *
 * @param options - Where lines go, and which.
 * @returns Writes a line, unless its level is too low.
 */
export function lineLogger({ level, write, now }: LineLoggerOptions): Log {
  const lowest = LOG_LEVELS.indexOf(level);
  return function log(lineLevel, message, fields = {}) {
    if (LOG_LEVELS.indexOf(lineLevel) < lowest) return;
    const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${fieldText(value)}`);
    write(`${now().toISOString()} ${lineLevel} ${oneLine(message)}${pairs.join('')}\n`);
  };
}

// Plain where that can't be misread, else as JSON.
function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : textOf(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function textOf(value: unknown): string {
  // An error from another thread or realm is no `instanceof Error`.
  return types.isNativeError(value) ? (value.stack ?? value.message) : JSON.stringify(value);
}

// A line break in a message must not begin what looks like another line.
function oneLine(message: string): string {
  return message.replaceAll(/\s*[\r\n]+\s*/g, ' | ');
}
