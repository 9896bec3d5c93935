import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERRORS } from '../../src/errors.ts';
import {
  BACKLOG,
  DISCARD_IDLE_MS,
  DISCARD_MAX_BYTES,
  DISCARD_MAX_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from '../../src/http/timeouts.ts';
import { paddedBytes } from '../../src/limits/admit.ts';
import {
  DEFAULT_MAX_BATCH_SIZE,
  MAX_ANSWER_BYTES,
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MAX_PADDED_BYTES,
  MAX_TOKENIZED_TOKENS,
} from '../../src/limits/constants.ts';
import { DEFAULT_CONTEXT_LENGTH } from '../../src/model-files/describe.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/limits.md'), 'utf8');

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

describe('docs/limits.md', () => {
  test('has the defaults and errors of the code, in order, and no other limit', () => {
    const [, after = ''] = PAGE.split('<!-- limits -->\n');
    const [table = ''] = after.split(/\n(?!\|)/);
    const rows = table.split('\n').slice(2);
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells.map(([, , value, , , error]) => [value, error])).toEqual([
      [grouped(MAX_HEADER_BYTES), '`headers_too_large`'],
      [grouped(HEADERS_TIMEOUT_MS / 1000), '`request_timeout`'],
      [grouped(REQUEST_TIMEOUT_MS / 1000), '`request_timeout`'],
      [grouped(MAX_BODY_BYTES), '`body_too_large`'],
      [grouped(MAX_JSON_DEPTH), '`invalid_json`'],
      [grouped(DEFAULT_MAX_BATCH_SIZE), '`batch_too_large`'],
      [grouped(MAX_PADDED_BYTES), '`tensor_too_large`'],
      [`the model's, else ${grouped(DEFAULT_CONTEXT_LENGTH)}`, '`input_too_long`'],
      [grouped(MAX_ANSWER_BYTES), '`answer_too_large`'],
    ]);
    for (const [, , , , , error = ''] of cells) expect(ERRORS).toHaveProperty(error.slice(1, -1));
  });

  test('works its examples out right', () => {
    const rows = Array.from(PAGE.matchAll(/^\| ([\d,]+) \| ([\d,]+) \|$/gm));
    expect(rows).toHaveLength(3);
    for (const [, context = '', inputs = ''] of rows) {
      const [columns, count] = [context, inputs].map((cell) => Number(cell.replaceAll(',', '')));
      expect(paddedBytes(count ?? 0, columns ?? 0)).toBe(MAX_PADDED_BYTES);
    }
  });

  test('names the limit of a text that is only tokenized', () => {
    expect(PAGE).toContain(`${grouped(MAX_TOKENIZED_TOKENS)} tokens, or the context length`);
  });

  test('names the bounds of discarding and the times', () => {
    const text = PAGE.replaceAll('\n', ' ');
    for (const part of [
      `at most ${grouped(DISCARD_MAX_BYTES)} bytes and ${DISCARD_MAX_MS / 1000} s, or ${DISCARD_IDLE_MS / 1000} s of silence`,
      `kept for ${KEEP_ALIVE_TIMEOUT_MS / 1000} s`,
      `every ${TIMEOUT_CHECK_MS / 1000} s`,
      `Up to ${grouped(BACKLOG)} connections`,
    ]) {
      expect(text).toContain(part);
    }
  });
});
