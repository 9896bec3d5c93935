/// <reference lib="es2024.string" />
import type { Wire, WireValue } from '../formats/wire.ts';
import type { ScoreResult, Timings } from '../graph/servable.ts';
import { bodyCheck } from './body-check.ts';
import { OPTIONAL_MODEL_FIELD } from './fields.ts';
import { itemsOf, type ItemKind } from './item-list.ts';
import { SCORE_FIELDS, scoreChoice, type ScoreBody, type ScoreChoice } from './score-options.ts';

const QUERY_FIELD = {
  type: 'string',
  description: 'What the documents are compared with; it may be empty, and is never cut.',
  reason: 'must be a string',
} as const;

/** The fields of `POST /rerank`, as a JSON schema. Others are ignored; null means absent. */
export const RERANK_SCHEMA = {
  type: 'object',
  required: ['query', 'texts'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    query: QUERY_FIELD,
    texts: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'The documents: a non-empty list of strings.',
    },
    return_text: {
      type: ['boolean', 'null'],
      description: 'Whether each result has its document as `text`. Default: false.',
      reason: 'must be true or false',
    },
    ...SCORE_FIELDS,
  },
} as const;

/** The fields of `POST /v3/rerank`, as a JSON schema. Others are ignored; null means absent. */
export const RERANK_LIST_SCHEMA = {
  type: 'object',
  required: ['query', 'documents'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    query: QUERY_FIELD,
    documents: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { type: 'string' },
          { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        ],
      },
      description: 'The documents: a non-empty list of strings or of objects with `text`.',
    },
    top_n: {
      type: ['integer', 'null'],
      minimum: 1,
      description:
        'Results that are wanted, the best first. Default: all, as for more than there are.',
      reason: 'must be a whole number of at least 1',
    },
    return_documents: {
      type: ['boolean', 'null'],
      description: 'Whether each result has its document, as `{"text"}`. Default: false.',
      reason: 'must be true or false',
    },
    ...SCORE_FIELDS,
  },
} as const;

/** The name of the field with the documents, which decides the shape of the answer. */
export type DocumentsParam = 'texts' | 'documents';

const REQUIRE = {
  texts: bodyCheck(RERANK_SCHEMA, ['texts']),
  documents: bodyCheck(RERANK_LIST_SCHEMA, ['documents']),
};

const KINDS: Readonly<Record<DocumentsParam, ItemKind<string>>> = {
  texts: {
    allowed: 'a non-empty list of strings',
    read: wellFormed,
  },
  documents: {
    allowed: 'a non-empty list of strings or of objects with a string "text"',
    read: (item) => wellFormed(item) ?? wellFormed((item as { text?: unknown } | null)?.text),
  },
};

function wellFormed(value: unknown): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

/** A body that passed one of the schemas. */
interface RerankBody extends ScoreBody {
  readonly model?: string | null;
  readonly query: string;
  readonly texts?: unknown;
  readonly documents?: unknown;
  readonly top_n?: number | null;
  readonly return_text?: boolean | null;
  readonly return_documents?: boolean | null;
}

/** What a client asks of a rerank route. */
export interface RerankCall {
  /** The name of a served model; null: the only one. */
  readonly model: string | null;
  readonly query: string;
  /** The documents: at least one; well-formed Unicode. */
  readonly inputs: readonly string[];
  /** The request field that held them. */
  readonly param: DocumentsParam;
  readonly options: ScoreChoice;
  /** Results that are wanted; Infinity: all. */
  readonly topN: number;
  /** Whether each result has its document. */
  readonly hasDocuments: boolean;
}

/**
 * Reads the body of a rerank route.
 *
 * @param body - Parsed JSON.
 * @param usual - The field that the route's clients send documents in; of a body without it the other
 *   one is looked at.
 * @returns The call.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseRerank(body: unknown, usual: DocumentsParam): RerankCall {
  const param = paramOf(body as Partial<RerankBody>, usual);
  REQUIRE[param](body);
  const fields = body as RerankBody;
  const isList = param === 'documents';
  return {
    model: fields.model ?? null,
    query: fields.query.toWellFormed(),
    inputs: itemsOf(fields[param], param, KINDS[param]),
    param,
    options: scoreChoice(fields, param),
    topN: (isList ? fields.top_n : null) ?? Infinity,
    hasDocuments: (isList ? fields.return_documents : fields.return_text) ?? false,
  };
}

function paramOf(body: Partial<RerankBody>, usual: DocumentsParam): DocumentsParam {
  const other = usual === 'texts' ? 'documents' : 'texts';
  return (body[usual] ?? null) === null && (body[other] ?? null) !== null ? other : usual;
}

/** Results before they are written. */
export interface RerankReply {
  /** ms of the stages. */
  readonly timings: Timings;
  readonly body: (wire: Wire) => WireValue;
}

/**
 * The answer of the rerank routes.
 *
 * @param call - What was asked.
 * @param result - A score for each document of the call, in order.
 * @param model - The name the model is served by.
 * @returns The results, the highest score first and of equal ones the first document: a bare list for
 *   `texts`, an object for `documents`.
 */
export function rerankReply(call: RerankCall, result: ScoreResult, model: string): RerankReply {
  const { scores, promptTokens, timings } = result;
  const order = Array.from(scores.keys()).sort(
    (one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other,
  );
  const best = order.slice(0, call.topN);
  const isList = call.param === 'documents';
  const results = best.map((index) => itemOf(call, index, scores[index] ?? 0));
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return { timings, body: () => (isList ? { results, model, usage } : results) };
}

function itemOf(call: RerankCall, index: number, score: number): WireValue {
  const { hasDocuments, inputs, param } = call;
  const text = inputs[index] ?? '';
  return param === 'texts'
    ? { index, score, ...(hasDocuments && { text }) }
    : { index, relevance_score: score, ...(hasDocuments && { document: { text } }) };
}
