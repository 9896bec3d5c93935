import type { NodeContext, NodeType } from '../node-type.ts';
import type { ClassifyServable } from '../servable.ts';
import { tokenizeWith } from '../tokenize.ts';
import { openLogitsModel } from './logits-model.ts';
import type { LogitsModel } from './logits-model.ts';
import { MODEL_OPTION_PROPERTIES } from './options.ts';
import type { ModelOptions } from './options.ts';
import { sigmoid, softmax } from './scores.ts';

const OPTIONS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['models_path'],
  properties: MODEL_OPTION_PROPERTIES,
} as const;

type ToScores = (logits: Float32Array) => Float64Array;

// As pipelines of Hugging Face's transformers read a config.json.
function scoringOf({ description, size }: LogitsModel): ToScores {
  const { problemType } = description;
  if (problemType === 'regression') return (logits) => Float64Array.from(logits);
  return problemType === 'multi_label_classification' || size === 1
    ? (logits) => Float64Array.from(logits, sigmoid)
    : softmax;
}

function labelsOf(
  { fault }: NodeContext<unknown>,
  { description, size }: LogitsModel,
): readonly string[] {
  const { labels } = description;
  if (labels.length === 0) return Array.from({ length: size }, (_, at) => `LABEL_${at}`);
  if (labels.length === size) return labels;
  throw fault(
    ['models_path'],
    `the model gives ${size} scores, and id2label in its config.json has ${labels.length} labels`,
  );
}

async function open(context: NodeContext<ModelOptions>): Promise<ClassifyServable> {
  const model = await openLogitsModel(context, { pairs: false, hint: '' });
  try {
    const labels = labelsOf(context, model);
    const toScores = scoringOf(model);
    return {
      task: 'classify',
      name: context.name,
      limits: model.limits,
      facts: { fields: { labels }, output: { name: 'scores', shape: [model.size] } },
      labels,
      tokenize: tokenizeWith(model),
      classify: async (batch, options) => {
        const { logits, promptTokens, timings } = await model.run(batch, options);
        const scores = logits.map((row) => (options.raw ? Float64Array.from(row) : toScores(row)));
        return { scores, promptTokens, timings };
      },
      close: model.close,
    };
  } catch (error) {
    await model.close();
    throw error;
  }
}

/** A node that says which labels fit a text or a pair of texts. */
export const CLASSIFY: NodeType<ModelOptions, ClassifyServable> = {
  type: 'classify',
  optionsSchema: OPTIONS_SCHEMA,
  open,
};
