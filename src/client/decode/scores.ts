import { checkIndices, countAt, fieldsAt, listAt, misshapen, numberAt, textAt } from './shapes.ts';

/** One text of a rerank answer. */
export interface RerankItem {
  index: number;
  score: number;
  text: string | null;
}

/** One label of a classify answer. */
export interface LabelScore {
  label: string;
  score: number;
}

/**
 * Reads a rerank answer for `count` texts; the order is the server's.
 *
 * @param value - What the answer, header or option holds.
 * @param count - Inputs that were sent.
 * @returns In the order of the answer.
 * @throws {@link PerformanceClientError} of kind `serialization` if it isn't one.
 */
export function readRerank(value: unknown, count: number): RerankItem[] {
  const items = listAt(value, 'the answer').map((item, at) => {
    const { index, score, text } = fieldsAt(item, `[${at}]`);
    return {
      index: countAt(index, `[${at}].index`),
      score: numberAt(score, `[${at}].score`),
      text: text === undefined || text === null ? null : textAt(text, `[${at}].text`),
    };
  });
  checkIndices(items, count);
  return items;
}

/**
 * Reads a classify answer for `count` texts.
 *
 * @param value - What the answer, header or option holds.
 * @param count - Inputs that were sent.
 * @returns In the order of the texts.
 * @throws {@link PerformanceClientError} of kind `serialization` if it isn't one.
 */
export function readClasses(value: unknown, count: number): LabelScore[][] {
  const lists = listAt(value, 'the answer');
  if (lists.length !== count) throw misshapen(`expected ${count} items, got ${lists.length}`);
  return lists.map((labels, at) =>
    listAt(labels, `[${at}]`).map((entry) => {
      const { label, score } = fieldsAt(entry, `[${at}]`);
      return {
        label: textAt(label, `[${at}].label`),
        score: numberAt(score, `[${at}].score`),
      };
    }),
  );
}
