import { resolve } from 'node:path';
import { Tokenizer } from 'tokenizers';
import { requestTexts, workloadNamed } from './texts.mjs';

/**
 * Rows end to end, unpadded.
 *
 * @typedef {object} Batch
 * @property {Int32Array} ids
 * @property {number[]} lengths
 */

/**
 * Rows shortest first, cut where `rows × longest` would pass the budget.
 *
 * @param {readonly (readonly number[])[]} rows Token ids of each
 * @param {number} budgetTokens A longer row goes alone
 * @returns {Batch[]}
 */
export function batchesOf(rows, budgetTokens) {
  const sorted = rows.toSorted((one, other) => one.length - other.length);
  const batches = [];
  let batch = [];
  for (const row of sorted) {
    if (batch.length > 0 && (batch.length + 1) * row.length > budgetTokens) {
      batches.push(packed(batch));
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) batches.push(packed(batch));
  return batches;
}

function packed(rows) {
  return { ids: Int32Array.from(rows.flat()), lengths: rows.map((row) => row.length) };
}

/**
 * The texts that the load generator sends with this seed, tokenized, in batches. A window is what the workload's
 * connections have in flight at a time: nothing is known of later texts.
 *
 * @param {string} workload
 * @param {number} seed
 * @param {{ modelPath: string, budgetTokens: number, seconds: number }} options
 * @returns {Promise<Batch[]>}
 */
export async function ceilingBatches(workload, seed, { modelPath, budgetTokens, seconds }) {
  const { connections, texts, expectedRate } = workloadNamed(workload);
  const tokenizer = Tokenizer.fromFile(resolve(modelPath, 'tokenizer.json'));
  tokenizer.disableTruncation();
  tokenizer.disablePadding();
  const requests = requestTexts(workload, seed);
  const windows = Math.ceil((expectedRate * seconds) / (connections * texts)) + 1;
  const batches = [];
  for (let done = 0; done < windows; done++) {
    const window = Array.from({ length: connections }, () => requests.next().value).flat();
    const encodings = await tokenizer.encodeBatch(window);
    const rows = encodings.map((encoding) => encoding.getIds());
    batches.push(...batchesOf(rows, budgetTokens));
  }
  return batches;
}
