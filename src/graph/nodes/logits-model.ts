import { ServeError } from '../../errors.ts';
import type { OutputInfo } from '../../inference/session.ts';
import type { HeadSpec } from '../../inference/work.ts';
import type { Input } from '../../input.ts';
import type { NodeContext } from '../node-type.ts';
import { openModel } from '../open-model.ts';
import type { OpenModel } from '../open-model.ts';
import type { ScoreOptions, Timings } from '../servable.ts';
import type { ModelOptions } from './options.ts';
import { warmUp } from './warm-up.ts';

/** What a model computed for the inputs of a request. */
export interface LogitsResult {
  /** For each input [labels], finite. Views. */
  readonly logits: readonly Float32Array[];
  /** Special tokens included, padding excluded. */
  readonly promptTokens: number;
  readonly timings: Timings;
}

/** A model with a few numbers for each input: what rerankers and classifiers are made of. */
export interface LogitsModel extends OpenModel {
  /** Numbers for each input. */
  readonly size: number;
  /** @throws {@link ServeError} `input_too_long`, `inference_failed` and what the engine throws. */
  readonly run: (
    inputs: readonly Input[],
    options: Omit<ScoreOptions, 'raw'>,
  ) => Promise<LogitsResult>;
}

/** The output that exports of `…ForSequenceClassification` have. */
const LOGITS_OUTPUT = 'logits';

/** How a model with logits is opened. */
export interface LogitsOptions {
  /** Whether its inputs will be pairs. */
  readonly pairs: boolean;
  /** What could be done with a model that has no logits, to end the message; empty: nothing. */
  readonly hint: string;
}

/**
 * Opens a node's model and runs it once.
 *
 * @param context - The node.
 * @param options - What it's for.
 * @returns The model, ready to run.
 * @throws `StartError` `config`: the model can't be used, or has no output [rows, labels].
 */
export async function openLogitsModel(
  context: NodeContext<ModelOptions>,
  { pairs, hint }: LogitsOptions,
): Promise<LogitsModel> {
  const model = await openModel(context);
  try {
    const head = { kind: 'logits', output: outputOf(context, model, hint) } as const;
    const { data } = await warmUp(context, model, { head, pairs });
    return {
      ...model,
      size: data.length,
      run: (inputs, options) => run(model, inputs, { head, options }),
    };
  } catch (error) {
    await model.close();
    throw error;
  }
}

function outputOf({ fault }: NodeContext<unknown>, { engine }: OpenModel, hint: string): string {
  const { outputs } = engine.info;
  const flat = outputs.filter(({ kind }) => kind === 'pooled');
  const output = flat.find(({ name }) => name === LOGITS_OUTPUT) ?? only(flat);
  if (output !== undefined) return output.name;
  const found = outputs.map(({ name, kind }) => `"${name}" (rank ${kind === 'hidden' ? 3 : 2})`);
  throw fault(
    ['model_file'],
    `has no output that scores can be made of: it has ${found.join(', ')}, and "${LOGITS_OUTPUT}" of rank 2 is needed${hint}`,
  );
}

function only([first, ...others]: readonly OutputInfo[]): OutputInfo | undefined {
  return others.length === 0 ? first : undefined;
}

interface Run {
  readonly head: HeadSpec;
  readonly options: Omit<ScoreOptions, 'raw'>;
}

async function run(
  model: OpenModel,
  inputs: readonly Input[],
  { head, options }: Run,
): Promise<LogitsResult> {
  const { rows, positions, promptTokens, tokenizeMs } = await model.toRows(inputs, options);
  const { scope } = options;
  const { tensors, queueMs, runMs } = await model.engine.infer(rows, { head, scope });
  for (const { data } of tensors) requireFinite(data);
  return {
    logits: positions.map((at) => tensors[at]?.data ?? new Float32Array()),
    promptTokens,
    timings: { tokenizeMs, queueMs, runMs },
  };
}

function requireFinite(logits: Float32Array): void {
  if (logits.every(Number.isFinite)) return;
  throw new ServeError(
    'inference_failed',
    'Cannot score the inputs: the model computed numbers that are not finite',
  );
}
