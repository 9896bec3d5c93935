/** What `tensorgate embed` uses of the process that it runs in. */
export interface EmbedIo {
  /** Writes to stdout. */
  readonly write: (text: string) => void;
  /** Writes to stderr. */
  readonly writeError: (text: string) => void;
  /** Bytes of stdin. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Columns of the terminal that stderr is, or `null` if it is none. */
  readonly terminalColumns: () => number | null;
  /** Aborts when the process is to end. */
  readonly signal: AbortSignal;
}
