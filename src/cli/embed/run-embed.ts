import { createReadStream } from 'node:fs';
import { access, open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { PerformanceClient, PerformanceClientError } from '../../client/index.ts';
import { EXIT_CODES, StartError } from '../../errors.ts';
import { embedHelp, parseEmbedArgs, type EmbedOptions } from './embed-flags.ts';
import type { EmbedIo } from './embed-io.ts';
import { embedLines, type LineEmbedder, type LineResult } from './embed-lines.ts';
import { inputLines, type InputLine } from './input-lines.ts';
import { ProgressBar } from './progress-bar.ts';
import {
  progressPath,
  readProgress,
  removeProgress,
  writeProgress,
  type Progress,
} from './progress-file.ts';
import { openOutput, type VectorOutput } from './vector-output.ts';

/** Exit code of a run in which some lines failed. */
const SOME_FAILED = 1;

/** Exit code of a run that was interrupted. Source: shells, 128 + SIGINT. */
const INTERRUPTED = 130;

/** Requests' worth of lines that are read ahead, for each request that may be open. */
const ROUNDS = 4;

/**
 * Carries out `tensorgate embed`.
 *
 * @param argv - Arguments after the word `embed`.
 * @param io - The process that it runs in.
 * @returns The exit code: 0, 1 if lines failed, 64 for bad usage, 69 for a server or file that
 * can't be used, 130 if it was interrupted.
 */
export async function runEmbed(argv: readonly string[], io: EmbedIo): Promise<number> {
  try {
    const options = parseEmbedArgs(argv);
    if (options === 'help') {
      io.write(embedHelp());
      return 0;
    }
    return await embedAll(options, io);
  } catch (error) {
    const known = error instanceof StartError;
    io.writeError(`${known ? error.message : `embed: ${(error as Error).message}`}\n`);
    return known ? EXIT_CODES[error.fault] : EXIT_CODES.unavailable;
  }
}

async function embedAll(options: EmbedOptions, io: EmbedIo): Promise<number> {
  const totalBytes = options.input === '-' ? null : await sizeOf(options.input);
  const start = await startOf(options, totalBytes);
  const client = new PerformanceClient(options.url, {
    apiKey: await keyOf(options),
    httpVersion: options.httpVersion,
  });
  const output = await openOutput(options.output, {
    bytes: start.outputBytes,
    rows: start.rows,
    dimensions: start.dimensions,
  });
  const errors = await open(options.errors, start.errorBytes === 0 ? 'w' : 'r+');
  await errors.truncate(start.errorBytes);
  const job = new Job({ options, io, output, errors, totalBytes, start });
  try {
    await job.run({ client, options, signal: io.signal });
    return await job.finish();
  } catch (error) {
    return job.stop(error);
  } finally {
    await client.close();
    await errors.close();
    await output.close();
  }
}

interface JobParts {
  readonly options: EmbedOptions;
  readonly io: EmbedIo;
  readonly output: VectorOutput;
  readonly errors: FileHandle;
  readonly totalBytes: number | null;
  readonly start: Progress;
}

/** One run: reads lines, keeps two groups of them under way, writes them in order. */
class Job {
  readonly #parts: JobParts;
  readonly #bar: ProgressBar;
  #progress: Progress;
  #doneBytes = 0;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#progress = parts.start;
    this.#bar = new ProgressBar(parts.io, this.#state());
  }

  async run(embedder: LineEmbedder): Promise<void> {
    let before: Promise<void> = Promise.resolve();
    for await (const group of this.#groups()) {
      const results = embedLines(group, embedder);
      // A group that fails while the one before it is written is told of when its turn comes.
      results.catch(() => undefined);
      await before;
      before = this.#write(group, results);
      before.catch(() => undefined);
    }
    await before;
  }

  async finish(): Promise<number> {
    await removeProgress(progressPath(this.#parts.options.output));
    this.#bar.finish(this.#state());
    const { failed } = this.#progress;
    if (failed === 0) return 0;
    this.#parts.io.writeError(`What failed is in ${this.#parts.options.errors}\n`);
    return SOME_FAILED;
  }

  stop(error: unknown): number {
    const { io, options } = this.#parts;
    this.#bar.finish(this.#state());
    const cancelled = error instanceof PerformanceClientError && error.kind === 'cancelled';
    const reason = cancelled ? 'Interrupted' : `Stopped: ${(error as Error).message}`;
    io.writeError(`${reason}\nThe same command goes on at line ${this.#progress.nextLine + 1}`);
    io.writeError(`; with --overwrite it begins anew. Progress: ${progressPath(options.output)}\n`);
    return cancelled ? INTERRUPTED : EXIT_CODES.unavailable;
  }

  async *#groups(): AsyncGenerator<InputLine[]> {
    const { options, io, start } = this.#parts;
    const size = options.batchSize * options.concurrency * ROUNDS;
    const source = options.input === '-' ? io.stdin() : createReadStream(options.input);
    let group: InputLine[] = [];
    for await (const line of inputLines(source)) {
      if (line.number < start.nextLine) {
        this.#doneBytes = line.endBytes;
        continue;
      }
      group.push(line);
      if (group.length < size) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }

  async #write(group: readonly InputLine[], coming: Promise<LineResult[]>): Promise<void> {
    const results = await coming;
    const { output, errors, options } = this.#parts;
    await output.add(results);
    const bad = results.filter(({ error }) => error !== null);
    const text = bad.map(({ line, error }) => `${JSON.stringify({ line, ...error })}\n`).join('');
    const bytes = Buffer.from(text);
    const { errorBytes, rows, failed, job, dimensions } = this.#progress;
    await errors.write(bytes, 0, bytes.length, errorBytes);
    const last = group.at(-1);
    this.#progress = {
      job,
      nextLine: (last?.number ?? 0) + 1,
      rows: rows + results.length,
      failed: failed + bad.length,
      dimensions: dimensions ?? results.find(({ vector }) => vector)?.vector?.length ?? null,
      outputBytes: output.bytes(),
      errorBytes: errorBytes + bytes.length,
    };
    await writeProgress(progressPath(options.output), this.#progress);
    this.#doneBytes = last?.endBytes ?? 0;
    this.#bar.show(this.#state());
  }

  #state(): { texts: number; failed: number; doneBytes: number; totalBytes: number | null } {
    const { rows, failed } = this.#progress;
    const { totalBytes } = this.#parts;
    return { texts: rows, failed, doneBytes: this.#doneBytes, totalBytes };
  }
}

// Where a run begins: anew, or where one of the same job was.
async function startOf(options: EmbedOptions, totalBytes: number | null): Promise<Progress> {
  const { input, model, dimensions, output, format, field } = options;
  const job = JSON.stringify({ input, totalBytes, model, dimensions, format, field });
  const anew = {
    job,
    nextLine: 0,
    rows: 0,
    failed: 0,
    dimensions: null,
    outputBytes: 0,
    errorBytes: 0,
  };
  if (options.overwrite) return anew;
  const before = await readProgress(progressPath(output));
  if (before?.job === job) return before;
  if (before) {
    throw new StartError(
      'usage',
      `--output: "${output}" is the unfinished output of another job; --overwrite begins anew`,
    );
  }
  if (await exists(output)) {
    throw new StartError('usage', `--output: "${output}" exists; --overwrite replaces it`);
  }
  return anew;
}

async function sizeOf(input: string): Promise<number> {
  try {
    return (await stat(input)).size;
  } catch (error) {
    throw new StartError('usage', `--input: "${input}" cannot be read`, error);
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

// The key of a file, else null for what the environment says; a server without keys takes any.
async function keyOf({ apiKeyFile, url }: EmbedOptions): Promise<string> {
  if (apiKeyFile !== null) return (await readFile(apiKeyFile, 'utf8')).trim();
  try {
    return new PerformanceClient(url).apiKey;
  } catch {
    return 'unused';
  }
}
