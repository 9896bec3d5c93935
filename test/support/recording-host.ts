import type { Host } from '../../src/cli/host.ts';

/** A process that keeps what a command writes. */
export interface RecordingHost extends Host {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/**
 * Makes a process for a command.
 *
 * @param changes - What is to be otherwise: no terminal, an empty environment, and no signal ever comes.
 * @returns The process.
 */
export function recordingHost(changes: Partial<Host> = {}): RecordingHost {
  const text = { stdout: '', stderr: '' };
  return {
    write: (part) => {
      text.stdout += part;
    },
    writeError: (part) => {
      text.stderr += part;
    },
    errorFd: 2,
    isTerminal: false,
    env: {},
    kill: () => undefined,
    terminated: () => new Promise(() => undefined),
    ...changes,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
  };
}
