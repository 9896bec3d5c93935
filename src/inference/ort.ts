import { InferenceSession, Tensor } from 'onnxruntime-node';
import { StartError } from '../errors.ts';
import type { Float32Tensor } from '../tensor.ts';
import type { OutputInfo, Session, SessionInfo, SessionOptions, TokenBatch } from './session.ts';

interface ValueInfo {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string)[];
}

type Feeds = Record<string, Tensor>;

// What each input that can be served is made of.
const INPUTS = new Map<string, (batch: TokenBatch, options: SessionOptions) => Int32Array>([
  ['input_ids', (batch) => batch.inputIds],
  ['attention_mask', (batch) => batch.attentionMask],
  ['token_type_ids', (batch) => batch.typeIds ?? new Int32Array(batch.inputIds.length)],
  ['position_ids', (batch, { positionOffset }) => positionIds(batch, positionOffset)],
]);

function positionIds({ columns, attentionMask }: TokenBatch, offset: number): Int32Array {
  return attentionMask.map((real, at) => (real === 0 ? 0 : offset + (at % columns)));
}

// Widens by writing the low halves: ids are never negative, and every platform is little-endian.
function int64(values: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let at = 0; at < values.length; at += 1) halves[at * 2] = values[at] ?? 0;
  return wide;
}

function tensorOf(values: Int32Array, type: string, shape: readonly number[]): Tensor {
  return type === 'int64'
    ? new Tensor('int64', int64(values), shape)
    : new Tensor('int32', values, shape);
}

function valuesOf(metadata: readonly InferenceSession.ValueMetadata[]): readonly ValueInfo[] {
  return metadata.map((value) =>
    value.isTensor
      ? { name: value.name, type: value.type, shape: value.shape }
      : { name: value.name, type: 'no tensor', shape: [] },
  );
}

function checkInput({ name, type }: ValueInfo): void {
  if (!INPUTS.has(name)) {
    throw new StartError(
      'config',
      `the ONNX file needs an input "${name}", which cannot be served; inputs that can: ${[...INPUTS.keys()].join(', ')}`,
    );
  }
  if (type !== 'int64' && type !== 'int32') {
    throw new StartError(
      'config',
      `the input "${name}" of the ONNX file is of type ${type}, and only int64 and int32 can be served`,
    );
  }
}

function outputInfo({ name, type, shape }: ValueInfo): readonly OutputInfo[] {
  const last = shape.at(-1);
  const kind = shape.length === 3 ? 'hidden' : 'pooled';
  if (type !== 'float32' || shape.length < 2 || shape.length > 3) return [];
  return [{ name, kind, dimensions: typeof last === 'number' ? last : null }];
}

function describe(session: InferenceSession): SessionInfo {
  const inputs = valuesOf(session.inputMetadata);
  const outputs = valuesOf(session.outputMetadata);
  inputs.forEach(checkInput);
  const served = outputs.flatMap(outputInfo);
  if (served.length === 0) {
    const found = outputs.map(
      ({ name, type, shape }) => `"${name}" (${type}, rank ${shape.length})`,
    );
    throw new StartError(
      'config',
      `the ONNX file has no output that can be served: it has ${found.join(', ')}, and a float32 output of rank 2 or 3 is needed`,
    );
  }
  return { inputs: inputs.map(({ name }) => name), outputs: served };
}

function resultOf(tensor: Tensor | undefined, output: string): Float32Tensor {
  if (!(tensor?.data instanceof Float32Array)) {
    throw new TypeError(`output "${output}" is no float32 tensor`);
  }
  return { shape: tensor.dims, data: tensor.data };
}

class OrtSession implements Session {
  readonly info: SessionInfo;
  readonly #session: InferenceSession;
  readonly #inputs: readonly ValueInfo[];
  readonly #options: SessionOptions;

  constructor(session: InferenceSession, options: SessionOptions) {
    this.info = describe(session);
    this.#session = session;
    this.#inputs = valuesOf(session.inputMetadata);
    this.#options = options;
  }

  async run(batch: TokenBatch, output: string): Promise<Float32Tensor> {
    const shape = [batch.rows, batch.columns];
    const feeds: Feeds = {};
    for (const { name, type } of this.#inputs) {
      const values = INPUTS.get(name)?.(batch, this.#options);
      if (values) feeds[name] = tensorOf(values, type, shape);
    }
    const results = await this.#session.run(feeds, [output]);
    return resultOf(results[output], output);
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

/**
 * Opens an ONNX file. Blocks its thread, as every run does.
 *
 * @param modelFile - Absolute path of the file.
 * @param options - Threads, padding and configuration entries.
 * @returns A session that is ready to run.
 * @throws {@link StartError} `config`: the file cannot be read, or its inputs or outputs not be served.
 */
export async function openSession(modelFile: string, options: SessionOptions): Promise<Session> {
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(modelFile, {
      intraOpNumThreads: options.intraOpNumThreads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
      extra: { session: options.configEntries },
    });
  } catch (error) {
    throw new StartError('config', `the ONNX file cannot be loaded: ${reasonOf(error)}`, error);
  }
  return new OrtSession(session, options);
}

// The first line of a library's message, without the path that it may name.
function reasonOf(error: unknown): string {
  const [line = ''] = String((error as { message?: unknown }).message).split('\n');
  return line.replaceAll(/(?:[A-Za-z]:)?[\\/][^\s:"']*[\\/]/g, '');
}
