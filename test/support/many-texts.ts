import { numbersOf, type AnswerReader } from './answer-reader.ts';
import { maxDifference } from './open-servable.ts';

/** Of one text in other company. */
const BATCH_TOLERANCE = 1e-5;

/** Between the vectors of any two texts, so that no two can be exchanged unnoticed. */
const LEAST_DISTANCE = 100 * BATCH_TOLERANCE;

/** Many distinct texts of mixed lengths, with what the server makes of them in one request. */
export interface ManyTexts {
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
  /** Of all texts together. */
  readonly tokens: number;
}

interface List {
  readonly data: readonly { readonly embedding: string }[];
  readonly usage: { readonly prompt_tokens: number };
}

/** 1,000 texts of 4 to 11 tokens. */
export async function manyTexts(reader: AnswerReader): Promise<ManyTexts> {
  const texts = Array.from({ length: 1000 }, (_, at) => `${at}${' more words'.repeat(at % 4)}`);
  const body = { input: texts, encoding_format: 'base64' };
  const { data, usage } = (await reader.ask('/v1/embeddings', body)) as List;
  const vectors = data.map(({ embedding }) => numbersOf(embedding, 'base64'));
  vectors.forEach((one, at) => {
    for (const other of vectors.slice(at + 1)) {
      if (!one.some((value, place) => Math.abs(value - (other[place] ?? NaN)) > LEAST_DISTANCE)) {
        throw new Error(
          `Two texts have one vector: the one after ${texts[at] ?? ''} and a later one`,
        );
      }
    }
  });
  return { texts, vectors, tokens: usage.prompt_tokens };
}

/** Checks that there is the vector of each text in its place. */
export function expectOrdered(
  vectors: readonly ArrayLike<number>[],
  { vectors: expected }: ManyTexts,
): void {
  expect(vectors).toHaveLength(expected.length);
  const worst = expected.map((vector, at) => maxDifference(vectors[at] ?? [], vector));
  expect(Math.max(...worst)).toBeLessThanOrEqual(BATCH_TOLERANCE);
}
