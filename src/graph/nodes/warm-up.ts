import type { HeadSpec } from '../../inference/work.ts';
import type { Float32Tensor } from '../../tensor.ts';
import type { NodeContext } from '../node-type.ts';
import type { OpenModel } from '../open-model.ts';

/** Texts of the first run: enough rows that every worker gets one. */
const WARM_UP_TEXTS = ['', 'one', 'one two', 'one two three'];

/**
 * Runs a model once, so that a model that cannot run is found at the start and not by a client, and
 * the first request is as fast as the next.
 *
 * @param context - The node.
 * @param model - Its model.
 * @param head - What requests will ask for.
 * @returns The result of one row.
 * @throws `StartError` `config`: the run fails, or gives numbers that are none.
 */
export async function warmUp(
  context: NodeContext<unknown>,
  model: OpenModel,
  head: HeadSpec,
): Promise<Float32Tensor> {
  const scope = { id: 'start', signal: new AbortController().signal, deadlineMs: Infinity };
  try {
    const { rows } = await model.toRows(WARM_UP_TEXTS, { param: 'input', truncate: 'right' });
    const { tensors } = await model.engine.infer(rows, { head, scope });
    const [first] = tensors;
    if (first?.data.every(Number.isFinite)) return first;
  } catch (error) {
    throw context.fault(['model_file'], reasonOf(error));
  }
  throw context.fault(['model_file'], 'a first run of the model gave numbers that are not finite');
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: Error };
  const [line = ''] = (cause?.message ?? message).split('\n');
  return `a first run of the model failed: ${line}`;
}
