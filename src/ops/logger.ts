import { types } from 'node:util';
import { pino } from 'pino';
import { terminalLine } from './terminal-line.ts';

/** Levels and pino's names for them, from most to least talkative. Source of the keys: OVMS, `--log_level`. */
const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
} as const;

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(LEVELS).map(([level, name]) => [name, level]),
);

/** How much an operator should care. */
export type LogLevel = keyof typeof LEVELS;

/** What else a line tells, by name in snake_case. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Tells the operator something, in one line. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** Where lines go, and which. */
export interface LogOptions {
  /** Lines below this level are dropped. */
  readonly level: LogLevel;
  /** File descriptor that is written to. */
  readonly fd: number;
  /** Whether lines are for people, instead of JSON. */
  readonly isTerminal: boolean;
}

/** A log at work. */
export interface OpenLog {
  readonly log: Log;
  /** Resolves when all lines are written, or can't be in {@link LAST_LINES_MS}; later ones are dropped. */
  readonly close: () => Promise<void>;
}

/** Lines that a blocked reader may make us hold, in bytes; further ones are dropped and counted. */
export const MAX_HELD_BYTES = 4_194_304;

/** Lines are written as soon as there are so many bytes of them, but on a terminal at once ... */
const GATHERED_BYTES = 4_096;

/** ... and after so many ms. */
const GATHER_MS = 20;

/** Writes in a row that find a pipe full before they are given up. */
const MAX_REFUSALS = 10;

/** ms that a blocked reader may hold up the end of the process. */
const LAST_LINES_MS = 1_000;

/**
 * Opens a log: a line of JSON for each event, written behind the back of the event loop.
 *
 * @param options - Where lines go, and which.
 * @returns The log, which never waits for its reader.
 */
export function openLog({ level, fd, isTerminal }: LogOptions): OpenLog {
  const destination = openDestination(fd, isTerminal ? 0 : GATHERED_BYTES);
  const logger = pino(
    {
      level: LEVELS[level],
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: NAMES.get(name) ?? name }) },
      serializers: { error: errorText },
    },
    isTerminal ? { write: (line) => void destination.write(terminalLine(line)) } : destination,
  );
  let isOpen = true;
  const flushSoon = gathering(() => {
    if (isOpen) destination.flush();
  });
  function log(lineLevel: LogLevel, message: string, fields: LogFields = {}): void {
    if (!isOpen) return;
    logger[LEVELS[lineLevel]](fields, message);
    flushSoon();
  }
  countDropped(destination, log);
  return {
    log,
    close: async () => {
      isOpen = false;
      await end(destination);
    },
  };
}

type Destination = ReturnType<typeof pino.destination>;

// A full pipe is tried again every 100 ms for a while, and then with each further line: without that bound
// a process that exits by itself would wait for its reader for ever.
function openDestination(fd: number, minLength: number): Destination {
  let refusals = 0;
  const destination = pino.destination({
    dest: fd,
    sync: false,
    minLength,
    maxLength: MAX_HELD_BYTES,
    retryEAGAIN: () => ++refusals <= MAX_REFUSALS,
  });
  destination.on('write', () => {
    refusals = 0;
  });
  return destination;
}

// One write for the lines of a moment: each costs the event loop more than a line does.
function gathering(flush: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    setTimeout(() => {
      isPending = false;
      flush();
    }, GATHER_MS).unref();
  };
}

// What is lost is told as soon as there is room again.
function countDropped(destination: Destination, log: Log): void {
  let lines = 0;
  destination.on('drop', () => {
    lines += 1;
  });
  destination.on('drain', () => {
    if (lines === 0) return;
    log('WARNING', 'Cannot log everything: the reader of the log was too slow', { lines });
    lines = 0;
  });
  // A full disk or a reader that has gone: nothing that could be told, and the next write tries again.
  destination.on('error', () => undefined);
}

async function end(destination: Destination): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LAST_LINES_MS);
    for (const event of ['close', 'error']) {
      destination.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    }
    destination.end();
  });
  // Else the end of the process would wait for the reader.
  destination.destroy();
}

// An error from another thread or realm is no `instanceof Error`.
function errorText(error: unknown): unknown {
  return types.isNativeError(error) ? (error.stack ?? error.message) : error;
}
