import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KNOWN_DEVIATIONS } from '../../src/tokenizer/deviations.ts';
import { openTokenizer, TOKENIZER_ENGINES } from '../../src/tokenizer/index.ts';
import type {
  EncodeOptions,
  Tokenizer,
  TokenizerOptions,
  Truncation,
} from '../../src/tokenizer/tokenizer.ts';
import type { ExpectedInput } from './tokenizer-texts.ts';
import { CASES, DEVIATING } from './tokenizer-texts.ts';

interface ExpectedPair extends ExpectedInput {
  readonly type_ids: readonly number[];
}

/** What is read of a fixture's expected.json. */
interface Expected {
  readonly inputs?: readonly ExpectedInput[];
  readonly queries?: readonly {
    readonly query: string;
    readonly documents: readonly ExpectedPair[];
  }[];
  readonly long_inputs?: readonly {
    readonly unit: string;
    readonly count: number;
    readonly tokens: number;
  }[];
}

const ROOT = resolve(import.meta.dirname, '../..');
const MINILM = resolve(ROOT, 'models/all-MiniLM-L6-v2');
const PLAIN: EncodeOptions = { addSpecialTokens: true, truncate: null };
const FIXTURES = [
  'tiny-bert-embeddings',
  'tiny-classifier',
  'tiny-last-token',
  'tiny-long-context',
  'tiny-pooled',
  'tiny-reranker',
  'tiny-roberta-embeddings',
  'tiny-xlmr-unigram',
];
const GOLDEN = readFileSync(resolve(ROOT, 'test/golden/golden-minilm.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ExpectedInput);

function expectedOf(fixture: string): Expected {
  const file = resolve(ROOT, 'test/fixtures', fixture, 'expected.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Expected;
}

function open(folder: string, engine: TokenizerOptions['engine']): Promise<Tokenizer> {
  return openTokenizer(
    { file: resolve(folder, 'tokenizer.json'), engine },
    {
      xenovaWorkerUrl: new URL('../../dist/tokenizer/xenova-worker.js', import.meta.url),
      warn: () => undefined,
    },
  );
}

function deviates(engine: string, model: string, text: string): boolean {
  return engine === 'xenova' && Object.hasOwn(DEVIATING[model] ?? {}, text.normalize('NFC'));
}

/** Ids 101 and 102 around the numbers. */
function framed(...ids: readonly number[]): readonly number[] {
  return [101, ...ids, 102];
}

describe.each(Object.keys(TOKENIZER_ENGINES) as TokenizerOptions['engine'][])(
  'the tokenizer engine %s',
  (engine) => {
    let minilm: Tokenizer;

    beforeAll(async () => {
      minilm = await open(MINILM, engine);
    });

    afterAll(async () => {
      await minilm.close();
    });

    async function idsOf(
      inputs: Parameters<Tokenizer['encode']>[0],
      options = PLAIN,
    ): Promise<readonly (readonly number[])[]> {
      const sequences = await minilm.encode(inputs, options);
      return sequences.map(({ ids }) => [...ids]);
    }

    function cut(maxTokens: number, side: Truncation['side']): EncodeOptions {
      return { addSpecialTokens: true, truncate: { maxTokens, side } };
    }

    /** Fails for a text that deviates and is not listed, and for one that is listed and does not. */
    function expectSame(
      model: string,
      inputs: readonly ExpectedInput[],
      ids: readonly (readonly number[])[],
    ): void {
      const differing = inputs.filter((input, index) => String(input.ids) !== String(ids[index]));
      expect(differing.map(({ text }) => text)).toEqual(
        inputs.map(({ text }) => text).filter((text) => deviates(engine, model, text)),
      );
    }

    test('agrees with the reference on the golden texts, in one batch and one by one', async () => {
      expect(GOLDEN).toHaveLength(149);
      const texts = GOLDEN.map(({ text }) => text);
      const batched = await idsOf(texts);
      expectSame('all-MiniLM-L6-v2', GOLDEN, batched);
      const single = await Promise.all(texts.map((text) => idsOf([text])));
      expect(single.flat()).toEqual(batched);
    });

    test.each(CASES)('agrees with the reference on $text', async (expected) => {
      expectSame('all-MiniLM-L6-v2', [expected], await idsOf([expected.text]));
    });

    test('gives 100 letters their pieces, and 101 none', async () => {
      const [pieces] = await idsOf(['x'.repeat(100)]);
      expect(pieces).toHaveLength(52);
    });

    test.each(FIXTURES)('agrees with the reference on %s', async (fixture) => {
      const tokenizer = await open(resolve(ROOT, 'test/fixtures', fixture), engine);
      try {
        const { inputs = [], queries = [], long_inputs: long = [] } = expectedOf(fixture);
        const sequences = await tokenizer.encode(
          inputs.map(({ text }) => text),
          PLAIN,
        );
        expectSame(
          fixture,
          inputs,
          sequences.map(({ ids }) => [...ids]),
        );
        expect(sequences.every(({ typeIds }) => typeIds === null)).toBe(true);
        for (const { query, documents } of queries) {
          const pairs = documents.map(({ text }) => ({ first: query, second: text }));
          const scored = await tokenizer.encode(pairs, PLAIN);
          expectSame(
            fixture,
            documents,
            scored.map(({ ids }) => [...ids]),
          );
          expect(scored.map(({ typeIds }) => [...(typeIds ?? [])])).toEqual(
            documents.map((document) => document.type_ids),
          );
        }
        const texts = long.map(({ unit, count }) => unit.repeat(count));
        const counts = (await tokenizer.encode(texts, PLAIN)).map(({ ids }) => ids.length);
        expect(counts).toEqual(long.map(({ tokens }) => tokens));
      } finally {
        await tokenizer.close();
      }
    });

    test('gives the types of the template to pairs, and none where all are zero', async () => {
      const pair = { first: 'hello world', second: 'volcano' };
      const [typed] = await minilm.encode([pair], PLAIN);
      expect([...(typed?.ids ?? [])]).toEqual([101, 7592, 2088, 102, 12779, 102]);
      expect([...(typed?.typeIds ?? [])]).toEqual([0, 0, 0, 0, 1, 1]);
      const [single] = await minilm.encode(['hello world'], PLAIN);
      expect(single?.typeIds).toBeNull();

      const roberta = await open(resolve(ROOT, 'test/fixtures/tiny-roberta-embeddings'), engine);
      const [untyped] = await roberta.encode([{ first: 'hello world', second: ' good' }], PLAIN);
      await roberta.close();
      expect([...(untyped?.ids ?? [])]).toEqual([
        0, 262, 372, 83, 274, 280, 80, 72, 2, 2, 341, 83, 464, 2,
      ]);
      expect(untyped?.typeIds).toBeNull();
    });

    test('leaves special tokens out where it is asked to', async () => {
      const options = { addSpecialTokens: false, truncate: null };
      const ids = await idsOf(['hello world', '', 'foo [PAD] bar'], options);
      expect(ids).toEqual([[7592, 2088], [], [29379, 0, 3347]]);
    });

    test('knows the size of its vocabulary', () => {
      expect(minilm.vocabSize).toBe(30_522);
    });

    test.each([
      [7, 'right', framed(2023, 2003, 1037, 3231, 1012)],
      [6, 'right', framed(2023, 2003, 1037, 3231)],
      [6, 'left', framed(2003, 1037, 3231, 1012)],
      [3, 'right', framed(2023)],
      [3, 'left', framed(1012)],
      [2, 'right', framed()],
      [1, 'right', [101]],
    ] as const)('cuts a text of 7 tokens to %d on the %s', async (maxTokens, side, ids) => {
      await expect(idsOf(['This is a test.'], cut(maxTokens, side))).resolves.toEqual([ids]);
    });

    test('cuts a text without special tokens to all that is asked for', async () => {
      const options = {
        addSpecialTokens: false,
        truncate: { maxTokens: 2, side: 'left' },
      } as const;
      await expect(idsOf(['This is a test.'], options)).resolves.toEqual([[3231, 1012]]);
    });

    test.each([
      { maxTokens: 9, side: 'right', ids: [101, 7592, 2088, 102, 2023, 2003, 1037, 3231, 102] },
      { maxTokens: 7, side: 'right', ids: [101, 7592, 2088, 102, 2023, 2003, 102] },
      { maxTokens: 7, side: 'left', ids: [101, 7592, 2088, 102, 1037, 3231, 102] },
      { maxTokens: 5, side: 'right', ids: [101, 7592, 2088, 102, 102] },
      { maxTokens: 4, side: 'right', ids: [101, 7592, 102, 102] },
      { maxTokens: 4, side: 'left', ids: [101, 2088, 102, 102] },
    ] as const)('cuts a pair to $maxTokens on the $side', async ({ maxTokens, side, ids }) => {
      const pair = { first: 'hello world', second: 'this is a test' };
      const [sequence] = await minilm.encode([pair], cut(maxTokens, side));
      expect([...(sequence?.ids ?? [])]).toEqual(ids);
      const firstEnd = ids.indexOf(102);
      expect([...(sequence?.typeIds ?? [])]).toEqual(
        ids.map((_, index) => (index > firstEnd ? 1 : 0)),
      );
    });

    test('keeps the truncations of concurrent calls apart', async () => {
      const text = 'this is a test '.repeat(10);
      const [whole = []] = await idsOf([text]);
      expect(whole).toHaveLength(42);
      const limits = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? null : index));
      const sequences = await Promise.all(
        limits.map((limit) => idsOf([text], limit === null ? PLAIN : cut(limit, 'right'))),
      );
      expect(sequences).toEqual(
        limits.map((limit) =>
          limit === null || limit >= 42
            ? [whole]
            : [[...whole.slice(0, Math.max(1, limit - 1)), 102].slice(0, limit)],
        ),
      );
    });

    test('keeps the order of 1,024 texts of mixed lengths', async () => {
      const counts = Array.from({ length: 1024 }, (_, index) =>
        index % 100 === 7 ? 5000 : (index * 7) % 90,
      );
      const sequences = await minilm.encode(
        counts.map((count) => 'hello '.repeat(count)),
        PLAIN,
      );
      expect(sequences.map(({ ids }) => ids.length)).toEqual(counts.map((count) => count + 2));
    });

    test('encodes no inputs to no sequences', async () => {
      await expect(minilm.encode([], PLAIN)).resolves.toEqual([]);
    });

    test('gives the same ids under load', async () => {
      const texts = GOLDEN.map(({ text }) => text);
      const alone = await idsOf(texts);
      const results = await Promise.all(Array.from({ length: 20 }, () => idsOf(texts)));
      for (const ids of results) expect(ids).toEqual(alone);
    });
  },
);

test('has a text for each known deviation', () => {
  const kinds = Object.values(DEVIATING).flatMap((texts) => Object.values(texts));
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(KNOWN_DEVIATIONS).sort());
});
