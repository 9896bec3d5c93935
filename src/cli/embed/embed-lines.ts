import {
  PerformanceClientError,
  type BatchError,
  type Float32Preference,
  type PerformanceClient,
} from '../../client/index.ts';
import type { EmbedOptions } from './embed-flags.ts';
import { textOfLine, type InputLine } from './input-lines.ts';

/** What became of a line: a vector, or why there is none. */
export interface LineResult {
  readonly line: number;
  readonly vector: Float32Array | null;
  readonly error: LineError | null;
}

/** Why a line failed. */
export interface LineError {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
}

/** What lines are embedded with. */
export interface LineEmbedder {
  readonly client: PerformanceClient;
  readonly options: EmbedOptions;
  readonly signal: AbortSignal;
}

interface Text {
  readonly at: number;
  readonly text: string;
}

/** Statuses by which a server refuses a text; others are no fault of a single one. */
const REFUSED_TEXT = new Set([400, 413, 422]);

/**
 * Embeds lines. A request that the server refuses is sent again text by text, so that only those
 * fail that are at fault.
 *
 * @param lines - Of the input, in order.
 * @param embedder - Client, options and the signal that ends it.
 * @returns A result for each line, in order.
 * @throws {@link PerformanceClientError} if no line can be embedded for a reason of its own.
 */
export async function embedLines(
  lines: readonly InputLine[],
  embedder: LineEmbedder,
): Promise<LineResult[]> {
  const { format, field } = embedder.options;
  const results: LineResult[] = [];
  const texts: Text[] = [];
  lines.forEach((line, at) => {
    try {
      texts.push({ at, text: textOfLine(line.text, format, field) });
    } catch (error) {
      results[at] = failed(line, { message: (error as Error).message });
    }
  });
  const refused = await embedTexts(texts, embedder, embedder.options.batchSize);
  const single = refused.failed.flatMap(({ start, end, error }) =>
    isTextsFault(error) ? texts.slice(start, end) : [],
  );
  const alone = await embedTexts(single, embedder, 1);
  const outcomes: Outcomes[] = [refused, alone];
  for (const { vectors, errors } of outcomes) {
    for (const [at, vector] of vectors) {
      results[at] = { line: lines[at]?.number ?? 0, vector, error: null };
    }
    for (const [at, error] of errors) {
      const line = lines[at];
      if (line) results[at] ??= failed(line, error);
    }
  }
  return results;
}

interface Outcomes {
  readonly vectors: ReadonlyMap<number, Float32Array>;
  readonly errors: ReadonlyMap<number, LineError>;
  readonly failed: readonly Failure[];
}

type Failure = Pick<BatchError, 'start' | 'end' | 'error'>;

async function embedTexts(
  texts: readonly Text[],
  embedder: LineEmbedder,
  batchSize: number,
): Promise<Outcomes> {
  const vectors = new Map<number, Float32Array>();
  const errors = new Map<number, LineError>();
  if (texts.length === 0) return { vectors, errors, failed: [] };
  const { data, failed } = await send(texts, embedder, batchSize);
  for (const { index, embedding } of data) {
    const text = texts[index];
    if (text) vectors.set(text.at, embedding);
  }
  const final = failed.filter(({ error }) => batchSize === 1 || !isTextsFault(error));
  for (const { start, end, error } of final) {
    for (const { at } of texts.slice(start, end)) errors.set(at, described(error));
  }
  return { vectors, errors, failed };
}

interface Sent {
  readonly data: readonly { readonly index: number; readonly embedding: Float32Array }[];
  readonly failed: readonly Failure[];
}

async function send(
  texts: readonly Text[],
  { client, options, signal }: LineEmbedder,
  batchSize: number,
): Promise<Sent> {
  const { model, dimensions, concurrency, timeoutS } = options;
  const preference: Float32Preference = {
    batchSize,
    maxConcurrentRequests: concurrency,
    maxCharsPerRequest: 1_048_576,
    timeoutS,
    vectors: 'float32',
    failFast: false,
    signal,
  };
  const input = texts.map(({ text }) => text);
  try {
    const response = await client.embed(input, model, null, dimensions, null, preference);
    return { data: response.data, failed: response.errors ?? [] };
  } catch (error) {
    if (!(error instanceof PerformanceClientError) || !isTextsFault(error)) throw error;
    // Every request was refused: each text is to be tried alone, or is at fault itself.
    return { data: [], failed: [{ start: 0, end: texts.length, error }] };
  }
}

function isTextsFault({ status }: PerformanceClientError): boolean {
  return status !== undefined && REFUSED_TEXT.has(status);
}

function described(error: PerformanceClientError): LineError {
  return {
    message: error.serverMessage ?? error.message,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.serverCode === undefined ? {} : { code: error.serverCode }),
  };
}

function failed({ number }: InputLine, error: LineError): LineResult {
  return { line: number, vector: null, error };
}
