import { admit } from '../../limits/admit.ts';
import { parsePredict, PREDICT_SCHEMA, predictReply } from '../../protocol/classify.ts';
import { PREDICTIONS_SCHEMA } from '../../protocol/score-answers.ts';
import type { Route } from '../route.ts';

/** Classifies texts and pairs of texts, in the shape of Baseten and of Text Embeddings Inference. */
export const predict: Route = {
  method: 'post',
  paths: ['/predict', '/v3/predict'],
  isInference: true,
  operations: [
    {
      summary: 'Classify texts and pairs of texts: a bare list',
      body: PREDICT_SCHEMA,
      answer: PREDICTIONS_SCHEMA,
    },
  ],
  async handle({ body, scope, servable }) {
    const call = parsePredict(body);
    const model = servable('classify', call.model);
    const batch = admit(call, model.limits);
    return predictReply(await model.classify(batch, { ...call.options, scope }), model);
  },
};
