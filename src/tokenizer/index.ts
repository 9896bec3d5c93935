import { StartError } from '../errors.ts';
import { KNOWN_DEVIATIONS } from './deviations.ts';
import type { Tokenizer, TokenizerOptions } from './tokenizer.ts';
import { openXenova } from './xenova.ts';

/** What engines need of the process that they run in. */
export interface TokenizerHost {
  /** Of the built `tokenizer/xenova-worker.js`. */
  readonly xenovaWorkerUrl: URL;
  /** Tells the operator what an engine is known to get wrong. */
  readonly warn: (message: string) => void;
}

/** A way to run a tokenizer.json. */
export interface TokenizerEngine {
  readonly open: (file: string, host: TokenizerHost) => Promise<Tokenizer>;
  /** What an operator must know who uses it; null if nothing. */
  readonly warning: string | null;
}

/** The engines, by the name that a graph has in `tokenizer: { engine }`. The first is the default. */
export const TOKENIZER_ENGINES = {
  tokenizers: { open: openTokenizers, warning: null },
  xenova: {
    open: (file, { xenovaWorkerUrl }) => openXenova(file, xenovaWorkerUrl),
    warning: `the tokenizer engine "xenova" differs from the reference for: ${Object.keys(KNOWN_DEVIATIONS).join('; ')}. Their vectors are wrong: use the engine "tokenizers" where it runs`,
  },
} as const satisfies Record<TokenizerOptions['engine'], TokenizerEngine>;

// Loaded on use, so that the other engine serves where there is no native build.
async function openTokenizers(file: string): Promise<Tokenizer> {
  const { openNative } = await import('./native.ts').catch((error: unknown) => {
    throw new StartError(
      'config',
      'the tokenizer engine "tokenizers" has no native build for this machine; set engine: xenova',
      error,
    );
  });
  return openNative(file);
}

/**
 * Opens a tokenizer.json, its own truncation and padding switched off.
 *
 * @param options - The file, and the engine to run it with.
 * @param host - What engines need of the process.
 * @returns The tokenizer, to be closed after use.
 * @throws {@link StartError} `config`: a file is missing, or cannot be used; or the engine does not run
 *   on this machine.
 */
export async function openTokenizer(
  { file, engine }: TokenizerOptions,
  host: TokenizerHost,
): Promise<Tokenizer> {
  const { open, warning } = TOKENIZER_ENGINES[engine];
  const tokenizer = await open(file, host);
  if (warning !== null) host.warn(warning);
  return tokenizer;
}
