import type { HeadSpec } from '../../inference/work.ts';
import type { Input } from '../../input.ts';
import type { FittedRows } from '../../limits/fit.ts';
import type { Float32Tensor } from '../../tensor.ts';
import type { TokenSequence } from '../../tokenizer/tokenizer.ts';
import type { NodeContext } from '../node-type.ts';
import type { OpenModel } from '../open-model.ts';

/** Texts of the first run: enough rows that every worker gets one. */
const WARM_UP_TEXTS = ['', 'one', 'one two', 'one two three'];

/** Longest context that a first run fills, in tokens: longer ones would hold up the start. */
const MAX_FIRST_TOKENS = 1024;

/** What a first run is of. */
export interface FirstRun {
  /** What requests will ask for. */
  readonly head: HeadSpec;
  /** Whether requests will be of pairs. */
  readonly pairs?: boolean;
}

/**
 * Runs a model once, so that a model that cannot run is found at the start and not by a client, and
 * the first request is as fast as the next.
 *
 * @param context - The node.
 * @param model - Its model.
 * @param run - What requests will be like.
 * @returns The result of one row.
 * @throws `StartError` `config`: the run fails, or gives numbers that are none.
 */
export async function warmUp(
  context: NodeContext<unknown>,
  model: OpenModel,
  { head, pairs = false }: FirstRun,
): Promise<Float32Tensor> {
  const scope = { id: 'start', signal: new AbortController().signal, deadlineMs: Infinity };
  try {
    const inputs: readonly Input[] = pairs
      ? WARM_UP_TEXTS.map((text) => ({ first: 'query', second: text }))
      : WARM_UP_TEXTS;
    const { rows } = await model.toRows(inputs, { param: 'input', truncate: 'right' });
    const all = withLongest(rows, model.limits.contextLength);
    const { tensors } = await model.engine.infer(all, { head, scope });
    const [first] = tensors;
    const areFinite = tensors.every(({ data }) => data.every(Number.isFinite));
    if (first && areFinite) return first;
  } catch (error) {
    throw context.fault(['model_file'], reasonOf(error));
  }
  throw context.fault(['model_file'], 'a first run of the model gave numbers that are not finite');
}

// A row as long as the context, which a model with fewer positions than its files say cannot run.
function withLongest(rows: FittedRows, contextLength: number): FittedRows {
  const last = rows.at(-1);
  if (!last || contextLength > MAX_FIRST_TOKENS) return rows;
  const ids = Int32Array.from({ length: contextLength }, (_id, at) => at % last.ids.length);
  const longest = { ids: ids.map((at) => last.ids[at] ?? 0), typeIds: null };
  return [...rows, longest] as readonly TokenSequence[] as FittedRows;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: Error };
  const [line = ''] = (cause?.message ?? message).split('\n');
  return `a first run of the model failed: ${line}`;
}
