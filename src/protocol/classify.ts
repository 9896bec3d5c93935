/// <reference lib="es2024.string" />
import type { Wire, WireValue } from '../formats/wire.ts';
import type { ClassifyResult, ClassifyServable, Timings } from '../graph/servable.ts';
import type { Input } from '../input.ts';
import { bodyCheck } from './body-check.ts';
import { textsOf } from './embeddings-input.ts';
import { OPTIONAL_MODEL_FIELD, TEXTS_FIELD } from './fields.ts';
import { itemsOf, type ItemKind } from './item-list.ts';
import { SCORE_FIELDS, scoreChoice, type ScoreBody, type ScoreChoice } from './score-options.ts';

/** The fields of `POST /classify`, as a JSON schema. Others are ignored; null means absent. */
export const CLASSIFY_SCHEMA = {
  type: 'object',
  required: ['input'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    input: {
      ...TEXTS_FIELD,
      description: 'What is classified: a string or a non-empty list of strings.',
    },
    ...SCORE_FIELDS,
  },
} as const;

/** The fields of `POST /predict`, as a JSON schema. Others are ignored; null means absent. */
export const PREDICT_SCHEMA = {
  type: 'object',
  required: ['inputs'],
  properties: {
    model: OPTIONAL_MODEL_FIELD,
    inputs: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          minItems: 1,
          items: {
            anyOf: [
              { type: 'string' },
              { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
            ],
          },
        },
      ],
      description:
        'What is classified: a string, or a non-empty list of strings and of lists of one string or of two, which are a pair.',
      examples: ['This is a test', [['This is a test'], ['a premise', 'a hypothesis']]],
    },
    ...SCORE_FIELDS,
  },
} as const;

const requireClassify = bodyCheck(CLASSIFY_SCHEMA, ['input']);
const requirePredict = bodyCheck(PREDICT_SCHEMA, ['inputs']);

/** A body that passed one of the schemas. */
interface ClassifyBody extends ScoreBody {
  readonly model?: string | null;
  readonly input?: unknown;
  readonly inputs?: unknown;
}

/** What a client asks of a classify route. */
export interface ClassifyCall {
  /** The name of a served model; null: the only one. */
  readonly model: string | null;
  /** At least one; well-formed Unicode. */
  readonly inputs: readonly Input[];
  /** The request field that held them. */
  readonly param: 'input' | 'inputs';
  readonly options: ScoreChoice;
}

/**
 * Reads the body of `POST /classify`.
 *
 * @param body - Parsed JSON.
 * @returns The call.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parseClassify(body: unknown): ClassifyCall {
  requireClassify(body);
  const fields = body as ClassifyBody;
  return {
    model: fields.model ?? null,
    inputs: textsOf(fields.input, 'input'),
    param: 'input',
    options: scoreChoice(fields, 'input'),
  };
}

const PREDICTED: ItemKind<Input> = {
  allowed: 'a string or a non-empty list of strings and of lists of one or two strings',
  read: inputOf,
};

function inputOf(item: unknown): Input | null {
  if (typeof item === 'string') return item.toWellFormed();
  if (!Array.isArray(item) || item.length > 2) return null;
  const [first, second] = item as readonly unknown[];
  if (typeof first !== 'string') return null;
  if (item.length === 1) return first.toWellFormed();
  return typeof second === 'string'
    ? { first: first.toWellFormed(), second: second.toWellFormed() }
    : null;
}

/**
 * Reads the body of `POST /predict`.
 *
 * @param body - Parsed JSON.
 * @returns The call; a list of two strings in the list of inputs is a pair.
 * @throws `ServeError` `invalid_field`, with the field as `param`.
 */
export function parsePredict(body: unknown): ClassifyCall {
  requirePredict(body);
  const fields = body as ClassifyBody;
  const { inputs } = fields;
  return {
    model: fields.model ?? null,
    inputs: itemsOf(typeof inputs === 'string' ? [inputs] : inputs, 'inputs', PREDICTED),
    param: 'inputs',
    options: scoreChoice(fields, 'inputs'),
  };
}

/** Labels before they are written. */
export interface ClassifyReply {
  /** ms of the stages. */
  readonly timings: Timings;
  readonly body: (wire: Wire) => WireValue;
}

/**
 * The answer of `POST /predict`.
 *
 * @param result - Scores of the labels for each input, in order.
 * @param model - The model, for its labels.
 * @returns For each input its labels, the highest score first and of equal ones in the model's order.
 */
export function predictReply(result: ClassifyResult, { labels }: ClassifyServable): ClassifyReply {
  return { timings: result.timings, body: () => result.scores.map((row) => ranked(row, labels)) };
}

/**
 * The answer of `POST /classify`: that of {@link predictReply} with the model and the tokens.
 *
 * @param result - Scores of the labels for each input, in order.
 * @param model - The model, for its labels.
 * @returns An object with `data`.
 */
export function classifyReply(result: ClassifyResult, model: ClassifyServable): ClassifyReply {
  const { promptTokens, timings } = result;
  const { body } = predictReply(result, model);
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return {
    timings,
    body: (wire) => ({ object: 'classify', data: body(wire), model: model.name, usage }),
  };
}

function ranked(scores: Float64Array, labels: readonly string[]): WireValue {
  return labels
    .map((label, at) => ({ label, score: scores[at] ?? 0 }))
    .sort((one, other) => other.score - one.score);
}
