import { USAGE_SCHEMA } from './answers.ts';

const INDEX = {
  type: 'integer',
  description: 'Of the document in the request, from 0.',
} as const;

const SCORE = {
  type: 'number',
  description: 'From 0 to 1, unless raw_scores is true; higher is more relevant.',
} as const;

/** The answer to `texts`, as a JSON schema. */
export const RANKS_SCHEMA = {
  type: 'array',
  description: 'The highest score first.',
  items: {
    type: 'object',
    required: ['index', 'score'],
    properties: { index: INDEX, score: SCORE, text: { type: 'string' } },
  },
} as const;

/** The answer to `documents`, as a JSON schema. */
export const RANKED_LIST_SCHEMA = {
  type: 'object',
  required: ['results', 'model', 'usage'],
  properties: {
    results: {
      type: 'array',
      description: 'The highest score first.',
      items: {
        type: 'object',
        required: ['index', 'relevance_score'],
        properties: {
          index: INDEX,
          relevance_score: SCORE,
          document: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string' } },
          },
        },
      },
    },
    model: { type: 'string' },
    usage: USAGE_SCHEMA,
  },
} as const;

/** The answer of `POST /predict`, as a JSON schema. */
export const PREDICTIONS_SCHEMA = {
  type: 'array',
  description: 'For each input all labels, the highest score first.',
  items: {
    type: 'array',
    items: {
      type: 'object',
      required: ['label', 'score'],
      properties: {
        label: { type: 'string' },
        score: { type: 'number', description: 'From 0 to 1, unless raw_scores is true.' },
      },
    },
  },
} as const;

/** The answer of `POST /classify`, as a JSON schema. */
export const CLASSIFICATION_SCHEMA = {
  type: 'object',
  required: ['object', 'data', 'model', 'usage'],
  properties: {
    object: { const: 'classify' },
    data: PREDICTIONS_SCHEMA,
    model: { type: 'string' },
    usage: USAGE_SCHEMA,
  },
} as const;
