/** What a command may use of the process that it runs in; main.ts gives the real one. */
export interface Host {
  /** Writes to stdout. */
  readonly write: (text: string) => void;
  /** Writes to stderr. */
  readonly writeError: (text: string) => void;
  /**
   * From the first call on SIGTERM and SIGINT no longer end the process by themselves: the first one
   * resolves the promise, the next one ends the process at once.
   */
  readonly terminated: () => Promise<string>;
}
