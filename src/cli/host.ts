/** What a command may use of the process that it runs in; main.ts gives the real one. */
export interface Host {
  /** Writes to stdout. */
  readonly write: (text: string) => void;
  /** Writes to stderr. */
  readonly writeError: (text: string) => void;
  /** File descriptor of stderr, for the log. */
  readonly errorFd: number;
  /** Whether stderr is a terminal, on which a line can be written over. */
  readonly isTerminal: boolean;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the process without waiting for any thread, as one that hangs in native code. */
  readonly kill: () => void;
  /**
   * From the first call on SIGTERM and SIGINT no longer end the process by themselves: the first one
   * resolves the promise, the next one ends the process at once.
   */
  readonly terminated: () => Promise<string>;
}
