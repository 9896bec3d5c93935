import { StartError } from '../../../../src/errors.ts';
import { EMBEDDINGS } from '../../../../src/graph/nodes/embeddings.ts';
import type {
  EmbeddingsServable,
  EmbedOptions,
  EmbedResult,
} from '../../../../src/graph/servable.ts';
import type { Engine, InferResult } from '../../../../src/inference/engine.ts';
import type { OutputInfo, SessionInfo } from '../../../../src/inference/session.ts';
import { admit } from '../../../../src/limits/admit.ts';
import type { FittedRows } from '../../../../src/limits/fit.ts';
import type { Tokenizer } from '../../../../src/tokenizer/tokenizer.ts';
import { folderOf, maxDifference } from '../../../support/open-servable.ts';

/** Numbers of a token row: 1,024 of them are 256 MiB. */
const WIDE = 65_536;

/** A text is the number of its tokens. */
const COUNTED: Tokenizer = {
  vocabSize: 10,
  encode: (inputs) =>
    Promise.resolve(
      inputs.map((input) => ({ ids: new Int32Array(Number(input) || 1), typeIds: null })),
    ),
  close: () => Promise.resolve(),
};

/** Gives each row the vector [3, 4, 12], scaled if asked; it counts its calls. */
class CountingEngine implements Engine {
  readonly info: SessionInfo;
  calls = 0;

  constructor(
    output: OutputInfo = { name: 'last_hidden_state', kind: 'hidden', dimensions: WIDE },
  ) {
    this.info = { inputs: ['input_ids', 'attention_mask'], outputs: [output] };
  }

  requireRoom(): void {
    // There is always room.
  }

  infer(rows: FittedRows, { head }: Parameters<Engine['infer']>[1]): Promise<InferResult> {
    this.calls += 1;
    const scale = head.kind === 'pooled' && head.normalize ? 13 : 1;
    const tensors = rows.map(() => ({
      shape: [3],
      data: Float32Array.of(3 / scale, 4 / scale, 12 / scale),
    }));
    return Promise.resolve({ tensors, queueMs: 0, runMs: 0 });
  }

  load(): null {
    return null;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function open(engine: Engine, normalizeEmbeddings = true): Promise<EmbeddingsServable> {
  return EMBEDDINGS.open({
    name: 'wide',
    options: {
      modelsPath: folderOf('test/fixtures/tiny-bert-embeddings'),
      modelFile: 'model.onnx',
      tokenizer: { file: 'tokenizer.json', engine: 'tokenizers' },
      normalizeEmbeddings,
      truncate: false,
      maxBatchSize: 4096,
      session: { numStreams: 1, intraOpNumThreads: 1, maxPaddedTokens: 64, configEntries: {} },
    },
    fault: (option, reason) => new StartError('config', `${option.join('.')}: ${reason}`),
    warn: () => undefined,
    faultText: null,
    openTokenizer: () => Promise.resolve(COUNTED),
    openEngine: () => Promise.resolve(engine),
  });
}

function embed(
  model: EmbeddingsServable,
  inputs: readonly string[],
  options: Partial<EmbedOptions>,
): Promise<EmbedResult> {
  const scope = { id: 'test', signal: new AbortController().signal, deadlineMs: Infinity };
  const batch = admit({ inputs, param: 'inputs' }, model.limits);
  return model.embed(batch, { output: 'pooled', param: 'inputs', scope, ...options });
}

describe('token matrices', () => {
  const most = Array.from({ length: 64 }, () => '16');

  test('of exactly 256 MiB are computed, of one token more not', async () => {
    const engine = new CountingEngine();
    const model = await open(engine);
    await embed(model, most, { output: 'tokens' });
    const calls = engine.calls;
    await expect(embed(model, [...most, '1'], { output: 'tokens' })).rejects.toMatchObject({
      code: 'answer_too_large',
      param: 'inputs',
    });
    expect(engine.calls).toBe(calls);
  });

  test('are not to be had of a model that pools by itself', async () => {
    const model = await open(
      new CountingEngine({ name: 'sentence_embedding', kind: 'pooled', dimensions: null }),
    );
    expect(model.hasTokenRows).toBe(false);
    expect((await open(new CountingEngine())).hasTokenRows).toBe(true);
  });

  test('have the size of an embedding where the file names none', async () => {
    const output = { name: 'last_hidden_state', kind: 'hidden', dimensions: null } as const;
    const model = await open(new CountingEngine(output));
    await expect(embed(model, most, { output: 'tokens' })).resolves.toBeDefined();
  });

  test('are not counted where vectors are asked for', async () => {
    const model = await open(new CountingEngine());
    const { embeddings } = await embed(model, [...most, '1'], {});
    expect(embeddings).toHaveLength(65);
  });
});

describe('vectors of a wanted size', () => {
  async function vectorOf(
    isNormalizing: boolean,
    options: Partial<EmbedOptions>,
  ): Promise<number[]> {
    const model = await open(new CountingEngine(), isNormalizing);
    const { embeddings } = await embed(model, ['1', '1'], options);
    expect(embeddings[1]).toEqual(embeddings[0]);
    return [...(embeddings[0]?.data ?? [])];
  }

  test('have length 1 where the model normalizes, or the client asks for it', async () => {
    for (const vector of [
      await vectorOf(true, { dimensions: 2 }),
      await vectorOf(false, { dimensions: 2, normalize: true }),
    ]) {
      expect(maxDifference(vector, [3 / 5, 4 / 5])).toBeLessThan(1e-6);
    }
  });

  test('are only cut where it does not', async () => {
    expect(await vectorOf(false, { dimensions: 2 })).toEqual([3, 4]);
    expect(await vectorOf(true, { dimensions: 2, normalize: false })).toEqual([3, 4]);
  });

  test("are whole at the model's own size", async () => {
    expect(await vectorOf(false, { dimensions: 3 })).toEqual([3, 4, 12]);
  });
});
