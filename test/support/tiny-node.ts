import { StartError } from '../../src/errors.ts';
import type { NodeType } from '../../src/graph/node-type.ts';
import type { ModelOptions } from '../../src/graph/nodes/options.ts';
import type { OutputInfo } from '../../src/inference/session.ts';
import type { Input } from '../../src/input.ts';
import type { RequestScope } from '../../src/scope.ts';
import { tempFolder } from './temp-folder.ts';

/** A model that computes its output from the characters of a text. */
export interface TinyModel {
  /** What its config.json says. */
  readonly config: object;
  readonly outputs: readonly OutputInfo[];
  /** The output for one row, of the codes of its characters. */
  readonly compute: (codes: readonly number[]) => readonly number[];
}

/** A node that is open, and what was closed of it. */
export interface TinyNode<Opened> {
  readonly node: Opened;
  /** Names of the parts, in order. */
  readonly closed: readonly string[];
}

/** A token for each character, none beside them; of a pair, both texts end to end. */
function codesOf(input: Input): readonly number[] {
  const text = typeof input === 'string' ? input : `${input.first}${input.second}`;
  return Array.from(text, (character) => character.charCodeAt(0));
}

/** Opens a node on a model without files but its config.json. */
export async function openTinyNode<Options extends ModelOptions, Opened>(
  type: NodeType<Options, Opened>,
  { config, outputs, compute }: TinyModel,
  options: Omit<Options, keyof ModelOptions>,
): Promise<TinyNode<Opened>> {
  const folder = tempFolder();
  folder.write('config.json', JSON.stringify(config));
  const closed: string[] = [];
  const given: unknown = {
    modelsPath: folder.path,
    modelFile: 'model.onnx',
    tokenizer: { file: 'tokenizer.json', engine: 'tokenizers' },
    truncate: false,
    maxBatchSize: 1024,
    session: { numStreams: 1, intraOpNumThreads: 1, maxPaddedTokens: 1024, configEntries: {} },
    ...options,
  };
  try {
    const node = await type.open({
      name: 'org/tiny',
      options: given as Options,
      fault: (option, reason) => new StartError('config', `${option.join('.')}: ${reason}`),
      warn: () => undefined,
      faultText: null,
      openTokenizer: () =>
        Promise.resolve({
          vocabSize: 256,
          encode: (inputs) =>
            Promise.resolve(
              inputs.map((input) => ({ ids: Int32Array.from(codesOf(input)), typeIds: null })),
            ),
          close: () => {
            closed.push('tokenizer');
            return Promise.resolve();
          },
        }),
      openEngine: () =>
        Promise.resolve({
          info: { inputs: ['input_ids'], outputs },
          infer: (rows) => {
            const results = rows.map(({ ids }) => compute([...ids]));
            const tensors = results.map((row) => ({
              shape: [row.length],
              data: Float32Array.from(row),
            }));
            return Promise.resolve({ tensors, queueMs: 0, runMs: 1 });
          },
          load: () => null,
          requireRoom: () => undefined,
          close: () => {
            closed.push('engine');
            return Promise.resolve();
          },
        }),
    });
    return { node, closed };
  } catch (error) {
    expect(closed.toSorted()).toEqual(['engine', 'tokenizer']);
    throw error;
  } finally {
    folder.remove();
  }
}

/** Output `logits` of so many numbers for each row. */
export function logitsOutput(size: number): readonly OutputInfo[] {
  return [{ name: 'logits', kind: 'pooled', dimensions: size }];
}

/** The scope of a request that nobody ends. */
export function openScope(): RequestScope {
  return { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
}
