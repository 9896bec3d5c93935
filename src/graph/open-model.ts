import { join } from 'node:path';
import { StartError } from '../errors.ts';
import type { Engine } from '../inference/engine.ts';
import type { Input } from '../input.ts';
import type { BatchLimits } from '../limits/admit.ts';
import { fit } from '../limits/fit.ts';
import type { FittedRows } from '../limits/fit.ts';
import { describeModel } from '../model-files/describe.ts';
import type { ModelDescription } from '../model-files/describe.ts';
import type { Tokenizer, Truncation } from '../tokenizer/tokenizer.ts';
import { distinct } from './distinct.ts';
import type { NodeContext } from './node-type.ts';
import type { ModelOptions } from './nodes/options.ts';
import { shorten } from './shorten.ts';

/** How the inputs of a request become rows. */
export interface RowsOptions {
  /** The request field that held the inputs, named in errors. */
  readonly param: string;
  /** Overrides the node's option `truncate`. */
  readonly truncate?: Truncation['side'] | 'never';
}

/** Rows of a request, each text once. */
export interface Rows {
  readonly rows: FittedRows;
  /** For each input its row. */
  readonly positions: readonly number[];
  /** Tokens of all inputs, special tokens included, padding excluded. */
  readonly promptTokens: number;
  readonly tokenizeMs: number;
}

/** A model's folder at work: what all node types are made of. */
export interface OpenModel {
  readonly engine: Engine;
  readonly description: ModelDescription;
  readonly limits: BatchLimits;
  readonly tokenizer: Tokenizer;
  readonly toRows: (inputs: readonly Input[], options: RowsOptions) => Promise<Rows>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a node's tokenizer and engine, and checks that they go together.
 *
 * @param context - The node's options and what opens its parts.
 * @returns The model, ready to run.
 * @throws `StartError` `config`: names the option whose value cannot be used.
 */
export async function openModel(context: NodeContext<ModelOptions>): Promise<OpenModel> {
  const { options } = context;
  const description = locating(context, ['models_path'], () => describeModel(options.modelsPath));
  const limits = {
    maxBatchSize: options.maxBatchSize,
    contextLength: contextLengthOf(context, description),
  };
  const tokenizer = await openTokenizer(context, description);
  try {
    const engine = await openEngine(context, description);
    return {
      engine,
      description,
      limits,
      tokenizer,
      toRows: rowsMaker({ tokenizer, limits, truncate: options.truncate }),
      close: async () => {
        await Promise.all([engine.close(), tokenizer.close()]);
      },
    };
  } catch (error) {
    await tokenizer.close();
    throw error;
  }
}

// A fault of a part, told at the option that named the part.
function located(
  context: NodeContext<unknown>,
  option: readonly string[],
  error: unknown,
): unknown {
  return error instanceof StartError ? context.fault(option, error.message) : error;
}

function locating<T>(context: NodeContext<unknown>, option: readonly string[], open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw located(context, option, error);
  }
}

function contextLengthOf(
  { options, fault }: NodeContext<ModelOptions>,
  { contextLength }: ModelDescription,
): number {
  const { tokens, source } = contextLength;
  const { maxLength } = options;
  if (maxLength !== undefined && source !== null && maxLength > tokens) {
    throw fault(
      ['max_length'],
      `must be at most ${tokens}, the context length of the model (${source} in config.json), not ${maxLength}`,
    );
  }
  return maxLength ?? tokens;
}

async function openTokenizer(
  context: NodeContext<ModelOptions>,
  { vocabSize }: ModelDescription,
): Promise<Tokenizer> {
  const { modelsPath, tokenizer: tokenizerOptions } = context.options;
  const { file, engine } = tokenizerOptions;
  let tokenizer: Tokenizer;
  try {
    tokenizer = await context.openTokenizer({ file: join(modelsPath, file), engine });
  } catch (error) {
    throw located(context, ['tokenizer', 'file'], error);
  }
  if (vocabSize === null || tokenizer.vocabSize <= vocabSize) return tokenizer;
  await tokenizer.close();
  throw context.fault(
    ['tokenizer', 'file'],
    `has ${tokenizer.vocabSize} tokens, and the model knows ${vocabSize} (vocab_size in config.json): it belongs to another model`,
  );
}

async function openEngine(
  context: NodeContext<ModelOptions>,
  { padTokenId, positionOffset }: ModelDescription,
): Promise<Engine> {
  const { modelsPath, modelFile, session } = context.options;
  const { numStreams, intraOpNumThreads, maxPaddedTokens, configEntries } = session;
  try {
    return await context.openEngine({
      modelFile: join(modelsPath, modelFile),
      numStreams,
      intraOpNumThreads,
      budget: { maxPaddedTokens, maxRows: maxPaddedTokens },
      padTokenId,
      positionOffset,
      configEntries,
    });
  } catch (error) {
    throw located(context, ['model_file'], error);
  }
}

interface RowsParts {
  readonly tokenizer: Tokenizer;
  readonly limits: BatchLimits;
  readonly truncate: boolean;
}

function rowsMaker({ tokenizer, limits, truncate: cuts }: RowsParts): OpenModel['toRows'] {
  const configured = cuts ? 'right' : 'never';
  return async (given, { param, truncate: asked }) => {
    const started = performance.now();
    const { inputs, positions } = distinct(given);
    const side = asked ?? configured;
    const { contextLength: maxTokens } = limits;
    const truncate = side === 'never' ? null : { maxTokens, side };
    const short = await shorten(tokenizer, inputs, truncate ?? { maxTokens, side: 'right' });
    const sequences = await tokenizer.encode(short.inputs, {
      addSpecialTokens: true,
      truncate,
      stopAbove: maxTokens,
    });
    const rows = fit(sequences, { contextLength: maxTokens, param, positions, parts: short.parts });
    const promptTokens = positions.reduce((sum, at) => sum + (rows[at]?.ids.length ?? 0), 0);
    return { rows, positions, promptTokens, tokenizeMs: performance.now() - started };
  };
}
