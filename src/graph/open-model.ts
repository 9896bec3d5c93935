import { join } from 'node:path';
import { StartError } from '../errors.ts';
import type { Engine } from '../inference/engine.ts';
import type { Input } from '../input.ts';
import type { BatchLimits } from '../limits/admit.ts';
import { fit } from '../limits/fit.ts';
import type { FittedRows } from '../limits/fit.ts';
import { describeModel, maxLengthFault } from '../model-files/describe.ts';
import type { ModelDescription } from '../model-files/describe.ts';
import { CHANNELS } from '../ops/channels.ts';
import type { RequestScope } from '../scope.ts';
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
  /** The end that is cut where the node's option says so; right unless given. */
  readonly side?: Truncation['side'];
  /** Whose inputs they are; absent for a first run. */
  readonly scope?: RequestScope;
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
    await requireRoomForText(context, tokenizer, limits.contextLength);
    const engine = await openEngine(context, description, limits.contextLength);
    return {
      engine,
      description,
      limits,
      tokenizer,
      toRows: rowsMaker({ engine, tokenizer, limits, context }),
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
  { options: { maxLength }, fault }: NodeContext<ModelOptions>,
  { contextLength }: ModelDescription,
): number {
  const reason = maxLengthFault(maxLength, contextLength);
  if (reason !== null) throw fault(['max_length'], reason);
  return maxLength ?? contextLength.tokens;
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

async function requireRoomForText(
  { fault }: NodeContext<ModelOptions>,
  tokenizer: Tokenizer,
  contextLength: number,
): Promise<void> {
  const [empty] = await tokenizer.encode([''], { addSpecialTokens: true, truncate: null });
  const special = empty?.ids.length ?? 0;
  if (contextLength > special) return;
  throw fault(
    ['max_length'],
    `must be more than ${special}, the special tokens of every input, not ${contextLength}`,
  );
}

async function openEngine(
  context: NodeContext<ModelOptions>,
  { padTokenId, positionOffset }: ModelDescription,
  contextLength: number,
): Promise<Engine> {
  const { modelsPath, modelFile, session } = context.options;
  const { numStreams, intraOpNumThreads, maxPaddedTokens, configEntries } = session;
  try {
    return await context.openEngine({
      model: context.name,
      modelFile: join(modelsPath, modelFile),
      numStreams,
      intraOpNumThreads,
      budget: { maxPaddedTokens, maxRows: maxPaddedTokens },
      padTokenId,
      positionOffset,
      configEntries,
      contextLength,
    });
  } catch (error) {
    throw located(context, ['model_file'], error);
  }
}

interface RowsParts {
  readonly engine: Engine;
  readonly tokenizer: Tokenizer;
  readonly limits: BatchLimits;
  readonly context: NodeContext<ModelOptions>;
}

function rowsMaker({ engine, tokenizer, limits, context }: RowsParts): OpenModel['toRows'] {
  const { faultText, name: model } = context;
  const { truncate: cuts } = context.options;
  return async (given, { param, truncate: asked, side: end = 'right', scope }) => {
    const started = performance.now();
    engine.requireRoom();
    const { inputs, positions } = distinct(given);
    const side = asked ?? (cuts ? end : 'never');
    const { contextLength: maxTokens } = limits;
    const truncate = side === 'never' ? null : { maxTokens, side };
    const short = await shorten(tokenizer, inputs, truncate ?? { maxTokens, side: 'right' });
    const encoded = await tokenizer.encode(short.inputs, {
      addSpecialTokens: true,
      truncate,
      stopAbove: maxTokens,
    });
    const sequences =
      faultText === null
        ? encoded
        : encoded.map((sequence, at) => ({ ...sequence, crash: inputs[at] === faultText }));
    const rows = fit(sequences, { contextLength: maxTokens, param, positions, parts: short.parts });
    const promptTokens = positions.reduce((sum, at) => sum + (rows[at]?.ids.length ?? 0), 0);
    const endMs = performance.now();
    if (scope && CHANNELS.tokenize.hasSubscribers) {
      const span = { startMs: started, endMs };
      const counts = { inputs: given.length, tokens: promptTokens };
      CHANNELS.tokenize.publish({ request: scope, model, ...counts, ...span });
    }
    return { rows, positions, promptTokens, tokenizeMs: endMs - started };
  };
}
